#include "brotli/brotli_encoder.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "brotli/brotli_codec.h"
#include "model/simulated_host.h"
#include "unit/codecs/run_encoder.h"

namespace sidepress::codecs {
namespace {

using engine::EncoderParameters;
using engine::Operation;
using tests::DecodeBrotliStream;
using tests::EncodeRun;
using tests::MakeText;

class BrotliLevels : public testing::TestWithParam<int> {
 protected:
  std::string Encode(const EncoderParameters& parameters, std::uint64_t offset,
                     const std::vector<tests::Piece>& pieces) {
    return EncodeRun(codec_, memory_, parameters, offset, pieces);
  }

  EncoderParameters Parameters(std::uint64_t known_length = 0) {
    EncoderParameters parameters;
    parameters.level = GetParam();
    parameters.window_log = 19;
    parameters.known_length = known_length;
    return parameters;
  }

  BrotliCodec codec_;
  engine::HeapMemory memory_{SIZE_MAX};
};

TEST_P(BrotliLevels, EverySizeDecodes) {
  for (std::size_t size : {0, 1, 2, 19, 1000, 65535, 65536, 65537, 300'000}) {
    const std::string text = MakeText(size);
    const std::string stream =
        Encode(Parameters(size), 0, {{text, Operation::kEndStream}});
    EXPECT_EQ(DecodeBrotliStream(stream), text) << size;
  }
  EXPECT_EQ(memory_.used(), 0u);
}

TEST_P(BrotliLevels, RunsJoinIntoOneStream) {
  const std::string text = MakeText(300'000);
  const std::size_t cuts[] = {0, 1, 65'536, 65'537, 200'000, text.size()};
  std::string stream;
  for (std::size_t i = 0; i + 1 < std::size(cuts); ++i) {
    const bool last = i + 2 == std::size(cuts);
    stream += Encode(Parameters(text.size()), cuts[i],
                     {{text.substr(cuts[i], cuts[i + 1] - cuts[i]),
                       last ? Operation::kEndStream : Operation::kEndRun}});
  }
  EXPECT_EQ(DecodeBrotliStream(stream), text);
}

TEST_P(BrotliLevels, FlushesWithAndWithoutData) {
  const std::string text = MakeText(50'000);
  const std::string stream =
      Encode(Parameters(), 0,
             {{text.substr(0, 1), Operation::kFlush},
              {"", Operation::kFlush},
              {text.substr(1, 30'000), Operation::kProcess},
              {"", Operation::kFlush},
              {text.substr(30'001), Operation::kFlush},
              {"", Operation::kEndStream}});
  EXPECT_EQ(DecodeBrotliStream(stream), text);
}

TEST_P(BrotliLevels, FontModeDecodes) {
  EncoderParameters parameters = Parameters();
  parameters.kind = engine::ContentKind::kFont;
  const std::string text = MakeText(20'000);
  EXPECT_EQ(DecodeBrotliStream(
                Encode(parameters, 0, {{text, Operation::kEndStream}})),
            text);
}

// Where the first refusal hits, the run is stored; where a later one does, it
// fails. libbrotlienc itself would end the process.
TEST_P(BrotliLevels, RefusedMemoryNeverCorrupts) {
  const std::string text = MakeText(100'000);
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    tests::UnreliableMemory memory(random);
    memory.refuse_one_in = 4;
    const std::string stream =
        EncodeRun(codec_, memory, Parameters(), 0,
                  {{text.substr(0, 70'000), Operation::kProcess},
                   {text.substr(70'000), Operation::kEndStream}});
    if (!stream.empty()) {
      EXPECT_EQ(DecodeBrotliStream(stream), text);
    }
    EXPECT_EQ(memory.held, 0u) << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(All, BrotliLevels, testing::Range(0, 12));

TEST(BrotliWindow, IsShrunkToAKnownLength) {
  EncoderParameters parameters;
  parameters.window_log = 19;
  const auto window = [&](std::uint64_t length) {
    parameters.known_length = length;
    return BrotliWindowLog(parameters);
  };
  EXPECT_EQ(window(0), 19);
  EXPECT_EQ(window(1), 10);
  EXPECT_EQ(window(1024), 10);
  EXPECT_EQ(window(1025), 11);
  EXPECT_EQ(window(65'536), 16);
  EXPECT_EQ(window(65'537), 17);
  EXPECT_EQ(window(10'000'000), 19);
}

}  // namespace
}  // namespace sidepress::codecs
