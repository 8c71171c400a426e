#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "unit/codecs/run_encoder.h"
#include "zstd/zstd_codec.h"

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

class ZstdEstimates : public testing::TestWithParam<int> {
 protected:
  void Check(const engine::EncoderParameters& parameters) {
    const ZstdCodec codec;
    PeakMemory memory;
    const std::size_t size =
        parameters.known_length > 0
            ? static_cast<std::size_t>(parameters.known_length)
            : 1000;
    tests::EncodeRun(codec, memory, parameters, 0,
                     {{tests::MakeText(size), engine::Operation::kEndStream}});
    const auto estimate = static_cast<double>(codec.EstimateMemory(parameters));
    const auto peak = static_cast<double>(memory.peak);
    EXPECT_GE(estimate, 0.8 * peak) << size << ' ' << peak << ' ' << estimate;
    EXPECT_LE(estimate, 1.2 * peak) << size << ' ' << peak << ' ' << estimate;
  }
};

// All memory is taken at the beginning, so that the estimate can be close.
TEST_P(ZstdEstimates, MemoryIsNearTheMeasuredPeak) {
  for (std::uint64_t size : {0, 2'000, 87'000, 1'000'000}) {
    engine::EncoderParameters parameters;
    parameters.level = GetParam();
    parameters.known_length = size;
    Check(parameters);
    parameters.window_log = 16;
    Check(parameters);
    parameters.window_log = 0;
    parameters.long_distance = true;
    Check(parameters);
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, ZstdEstimates, testing::Range(1, 23));
INSTANTIATE_TEST_SUITE_P(Negative, ZstdEstimates, testing::Values(-5, -1, 0));

TEST(ZstdEstimates, CostGrowsWithTheLevel) {
  const ZstdCodec codec;
  engine::EncoderParameters parameters;
  std::uint32_t last = 0;
  for (int level : {-100, -1, 1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                    12,   13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}) {
    parameters.level = level;
    const engine::Cost cost = codec.EstimateCost(parameters);
    EXPECT_GE(cost.ns_per_byte, last) << level;
    last = cost.ns_per_byte;
  }
}

}  // namespace
}  // namespace sidepress::codecs
