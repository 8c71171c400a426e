#include "zstd/zstd_raw_run.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "unit/codecs/run_encoder.h"
#include "unit/codecs/zstd_frames.h"
#include "zstd/zstd_codec.h"

namespace sidepress::codecs {
namespace {

using engine::EncoderParameters;
using engine::Operation;
using tests::DecodeZstdFrame;
using tests::EncodeRun;

// Refuses one allocation, or that and all that follow.
class RefusingMemory final : public engine::MemorySource {
 public:
  RefusingMemory(int first, bool all) : left_(first), all_(all) {}

  void* Allocate(std::size_t size) noexcept override {
    const bool refuse = all_ ? left_ <= 0 : left_ == 0;
    --left_;
    if (refuse) {
      refused = true;
      return nullptr;
    }
    held += size;
    return std::malloc(size);
  }
  void Free(void* memory, std::size_t size) noexcept override {
    held -= size;
    std::free(memory);
  }

  bool refused = false;
  std::size_t held = 0;

 private:
  int left_;
  const bool all_;
};

EncoderParameters Parameters(int window_log, std::uint64_t known_length) {
  EncoderParameters parameters;
  parameters.level = 5;
  parameters.window_log = window_log;
  parameters.known_length = known_length;
  return parameters;
}

class ZstdRawRuns : public testing::TestWithParam<int> {
 protected:
  ZstdCodec codec_;
  engine::HeapMemory nothing_{0};
  engine::HeapMemory memory_{SIZE_MAX};
};

TEST_P(ZstdRawRuns, DecodeAtEverySizeAndBuffer) {
  for (std::size_t size : {0, 1, 255, 256, 257, 65'791, 65'792, 131'071,
                           131'072, 131'073, 1'100'000}) {
    const std::string text = tests::MakeText(size);
    for (std::size_t buffer : {1, 7, 4096}) {
      for (std::uint64_t known : {std::uint64_t{0}, text.size()}) {
        const EncoderParameters parameters = Parameters(GetParam(), known);
        const std::string frame =
            EncodeRun(codec_, nothing_, parameters, 0,
                      {{text, Operation::kEndStream}}, buffer);
        EXPECT_EQ(DecodeZstdFrame(frame) == text, true) << size << known;
        EXPECT_LE(frame.size(), codec_.OutputBound(size));
      }
    }
  }
}

// The same header as the library's.
TEST_P(ZstdRawRuns, DeclareWhatTheLibraryDeclares) {
  for (std::uint64_t known : {0, 1, 255, 256, 65'791, 65'792, 10'000'000}) {
    const EncoderParameters parameters = Parameters(GetParam(), known);
    const std::vector<tests::Piece> nothing = {{"", Operation::kEndRun}};
    EXPECT_EQ(EncodeRun(codec_, nothing_, parameters, 0, nothing),
              EncodeRun(codec_, memory_, parameters, 0, nothing))
        << known;
  }
}

TEST_P(ZstdRawRuns, JoinWithEncodedRuns) {
  const std::string text = tests::MakeText(100'000);
  const EncoderParameters parameters = Parameters(GetParam(), text.size());
  const std::string middle = text.substr(10'000, 50'000);
  const std::string frame =
      EncodeRun(codec_, nothing_, parameters, 0,
                {{text.substr(0, 10'000), Operation::kEndRun}}, 100) +
      EncodeRun(codec_, memory_, parameters, 10'000,
                {{middle, Operation::kEndRun}}, 1000, text.substr(0, 10'000)) +
      EncodeRun(codec_, nothing_, parameters, 60'000,
                {{text.substr(60'000, 30'000), Operation::kProcess},
                 {"", Operation::kFlush},
                 {text.substr(90'000), Operation::kEndStream}},
                100);
  EXPECT_EQ(DecodeZstdFrame(frame), text);
}

INSTANTIATE_TEST_SUITE_P(Windows, ZstdRawRuns, testing::Range(10, 24));

TEST(ZstdRefusedMemory, StillGivesAFrame) {
  const ZstdCodec codec;
  const std::string text = tests::MakeText(200'000);
  for (const bool all : {false, true}) {
    for (const bool joined : {false, true}) {
      bool refused = true;
      int number = 0;
      for (; refused; ++number) {
        RefusingMemory memory(number, all);
        const EncoderParameters parameters = Parameters(0, text.size());
        const std::size_t cut = joined ? 70'000 : 0;
        engine::HeapMemory good(SIZE_MAX);
        std::string frame;
        if (joined) {
          frame = EncodeRun(codec, good, parameters, 0,
                            {{text.substr(0, cut), Operation::kEndRun}});
        }
        frame += EncodeRun(codec, memory, parameters, cut,
                           {{text.substr(cut, 100), Operation::kProcess},
                            {text.substr(cut + 100), Operation::kEndStream}},
                           1000, text.substr(0, cut));
        EXPECT_EQ(DecodeZstdFrame(frame) == text, true) << number;
        EXPECT_EQ(memory.held, 0u);
        refused = memory.refused;
      }
      EXPECT_GE(number, joined ? 5 : 3);
    }
  }
}

}  // namespace
}  // namespace sidepress::codecs
