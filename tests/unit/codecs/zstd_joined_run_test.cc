#include "zstd/zstd_joined_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "unit/codecs/run_encoder.h"
#include "unit/codecs/zstd_frames.h"
#include "zstd/zstd_codec.h"
#include "zstd/zstd_encoder.h"

namespace sidepress::codecs {
namespace {

using engine::EncoderParameters;
using engine::Operation;
using tests::DecodeZstdFrame;
using tests::MakeText;

// Records of one length, so that most matches are repeat offsets.
std::string MakeRecords(std::size_t size) {
  std::mt19937 random(5);
  std::string text;
  while (text.size() < size) {
    text += "{\"id\":" + std::to_string(1000 + random() % 9000) +
            ",\"kind\":\"constant\",\"value\":\"";
    text += std::string(6, static_cast<char>('a' + random() % 3)) + "\"},\n";
  }
  text.resize(size);
  return text;
}

std::string MakeNoise(std::size_t size) {
  std::mt19937 random(9);
  std::string text(size, '\0');
  for (char& c : text) c = static_cast<char>(random());
  return text;
}

class ZstdJoins : public testing::TestWithParam<int> {
 protected:
  EncoderParameters Parameters(std::uint64_t known_length) {
    EncoderParameters parameters;
    parameters.level = GetParam();
    parameters.known_length = known_length;
    return parameters;
  }

  // `text` as one frame that is cut into runs at `cuts`.
  std::string Join(const EncoderParameters& parameters, const std::string& text,
                   std::vector<std::size_t> cuts, std::size_t context_size,
                   std::size_t buffer = 4096) {
    std::string frame;
    cuts.push_back(text.size());
    std::size_t at = 0;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      const bool last = i + 1 == cuts.size();
      const std::size_t before = std::min(at, context_size);
      frame +=
          Encode(parameters, at,
                 {{text.substr(at, (cuts[i] - at) / 2), Operation::kProcess},
                  {text.substr(at + (cuts[i] - at) / 2,
                               cuts[i] - at - (cuts[i] - at) / 2),
                   last ? Operation::kEndStream : Operation::kEndRun}},
                 buffer, text.substr(at - before, before));
      at = cuts[i];
    }
    return frame;
  }

  // With one encoder for all runs: most of the time would go into new memory.
  std::string Encode(const EncoderParameters& parameters, std::size_t offset,
                     const std::vector<tests::Piece>& pieces,
                     std::size_t buffer, const std::string& context) {
    return tests::DriveEncoder(encoder_, parameters, offset, context, pieces,
                               buffer, true);
  }

  void TearDown() override { encoder_.End(false); }

  ZstdCodec codec_;
  engine::HeapMemory memory_{SIZE_MAX};
  engine::Arena arena_{memory_};
  ZstdEncoder encoder_{arena_};
};

TEST_P(ZstdJoins, OddSizesWithAndWithoutContext) {
  ASSERT_TRUE(codec_.JoinsRuns());
  for (const std::string& text :
       {MakeText(300'000), MakeRecords(300'000), std::string(300'000, 'x'),
        MakeNoise(270'000)}) {
    for (std::size_t context : {0, 1, 8, 5000, 1'000'000}) {
      for (std::uint64_t known : {std::uint64_t{0}, text.size()}) {
        const std::string frame =
            Join(Parameters(known), text,
                 {1, 2, 1000, 131'072, 131'073, 260'000}, context);
        EXPECT_EQ(DecodeZstdFrame(frame) == text, true) << context << known;
      }
    }
  }
}

// Windows that are smaller than a run, and buffers that a run outgrows.
TEST_P(ZstdJoins, SmallWindows) {
  for (const std::string& text : {MakeRecords(1'400'000), MakeText(1'400'000),
                                  std::string(2'300'000, 'x')}) {
    for (int window : {10, 16, 17}) {
      EncoderParameters parameters = Parameters(window % 2 ? text.size() : 0);
      parameters.window_log = window;
      const std::string frame =
          Join(parameters, text, {50'000}, codec_.ContextSize(parameters));
      EXPECT_EQ(DecodeZstdFrame(frame) == text, true) << window;
      EXPECT_LE(tests::ReadZstdHeader(frame).window_size, 1u << window);
    }
  }
}

TEST_P(ZstdJoins, AnyBufferGivesTheSameBytes) {
  const std::string text = MakeRecords(200'000);
  const auto join = [&](std::size_t buffer) {
    return Join(Parameters(text.size()), text, {300, 70'000}, 40'000, buffer);
  };
  const std::string frame = join(1);
  EXPECT_EQ(DecodeZstdFrame(frame), text);
  EXPECT_EQ(join(7), frame);
  EXPECT_EQ(join(1 << 20), frame);
}

// A prefix is not parsed, whatever a client makes it look like.
TEST_P(ZstdJoins, ContextMayLookLikeADictionary) {
  std::string text = MakeRecords(100'000);
  const std::string magic = "\x37\xA4\x30\xEC";
  for (const std::string& id : {std::string("\0\0\0\0", 4), magic}) {
    text.replace(0, 8, magic + id);
    EXPECT_EQ(
        DecodeZstdFrame(Join(Parameters(text.size()), text, {60'000}, 1 << 20)),
        text);
  }
}

TEST_P(ZstdJoins, FlushesInLaterRuns) {
  const std::string text = MakeText(300'000);
  const std::string first =
      Encode(Parameters(0), 0, {{text.substr(0, 100'000), Operation::kEndRun}},
             100, "");
  const std::string later =
      Encode(Parameters(0), 100'000,
             {{"", Operation::kFlush},
              {text.substr(100'000, 1), Operation::kFlush},
              {"", Operation::kFlush},
              {text.substr(100'001, 150'000), Operation::kFlush}},
             7, text.substr(0, 100'000));
  EXPECT_EQ(tests::DecodeZstdBeginning(first + later), text.substr(0, 250'001));
}

TEST_P(ZstdJoins, EmptyRuns) {
  const std::string text = MakeText(1000);
  EXPECT_EQ(DecodeZstdFrame(
                Join(Parameters(text.size()), text, {500, 500, 1000}, 500)),
            text);
}

TEST_P(ZstdJoins, LongDistancesAndBlockTargets) {
  std::string text = MakeNoise(700'000);
  text += text;
  EncoderParameters parameters = Parameters(text.size());
  parameters.long_distance = true;
  const std::string far = Join(parameters, text, {600'000, 900'000}, 1 << 23);
  EXPECT_EQ(DecodeZstdFrame(far) == text, true);
  EXPECT_LT(far.size(), 720'000u);
  parameters.target_block_size = 1500;
  for (const std::string& records : {MakeRecords(1'400'000), text}) {
    const std::string small =
        Join(parameters, records, {600'000, 900'000}, 1 << 23);
    EXPECT_EQ(DecodeZstdFrame(small) == records, true);
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, ZstdJoins,
                         testing::Values(-5, 1, 3, 5, 6, 9, 13, 15, 16, 18,
                                         19));

}  // namespace
}  // namespace sidepress::codecs
