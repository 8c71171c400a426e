#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "brotli/brotli_codec.h"
#include "unit/codecs/run_encoder.h"

namespace sidepress::codecs {
namespace {

// Remembers the most that was held.
class PeakMemory final : public engine::MemorySource {
 public:
  void* Allocate(std::size_t size) noexcept override {
    held_ += size;
    peak = std::max(peak, held_);
    return std::malloc(size);
  }
  void Free(void* memory, std::size_t size) noexcept override {
    held_ -= size;
    std::free(memory);
  }
  std::size_t peak = 0;

 private:
  std::size_t held_ = 0;
};

class BrotliEstimates : public testing::TestWithParam<int> {};

// What is admitted by the estimate must fit, and not be a wild guess.
TEST_P(BrotliEstimates, MemoryIsNearTheMeasuredPeak) {
  const BrotliCodec codec;
  for (std::size_t size : {2'000, 90'000, 1'100'000, 2'200'000}) {
    engine::EncoderParameters parameters;
    parameters.level = GetParam();
    parameters.window_log = 19;
    parameters.known_length = size;
    PeakMemory memory;
    const std::string text = tests::MakeText(size);
    tests::EncodeRun(codec, memory, parameters, 0,
                     {{text, engine::Operation::kEndStream}}, 65'536);
    const std::size_t estimate = codec.EstimateMemory(parameters);
    EXPECT_GE(static_cast<double>(estimate),
              0.8 * static_cast<double>(memory.peak))
        << size << " peak " << memory.peak << " estimate " << estimate;
    EXPECT_LE(static_cast<double>(estimate),
              2.5 * static_cast<double>(memory.peak))
        << size << " peak " << memory.peak << " estimate " << estimate;
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, BrotliEstimates,
                         testing::Values(0, 1, 2, 4, 5, 6, 8, 9, 10));

TEST(BrotliEstimates, CostGrowsWithTheLevel) {
  const BrotliCodec codec;
  engine::EncoderParameters parameters;
  std::uint32_t last = 0;
  for (int level = kBrotliMinLevel; level <= kBrotliMaxLevel; ++level) {
    parameters.level = level;
    const engine::Cost cost = codec.EstimateCost(parameters);
    EXPECT_GE(cost.ns_per_byte, last) << level;
    last = cost.ns_per_byte;
  }
}

}  // namespace
}  // namespace sidepress::codecs
