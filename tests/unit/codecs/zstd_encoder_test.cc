#include "zstd/zstd_encoder.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "unit/codecs/run_encoder.h"
#include "unit/codecs/zstd_frames.h"
#include "zstd/zstd_codec.h"

namespace sidepress::codecs {
namespace {

using engine::EncoderParameters;
using engine::Operation;
using tests::DecodeZstdBeginning;
using tests::DecodeZstdFrame;
using tests::EncodeRun;
using tests::MakeText;

constexpr std::uint64_t kBrowserWindow = 8u << 20;

EncoderParameters Parameters(int level, std::uint64_t known_length = 0) {
  EncoderParameters parameters;
  parameters.level = level;
  parameters.known_length = known_length;
  return parameters;
}

class ZstdLevels : public testing::TestWithParam<int> {
 protected:
  std::string Encode(const EncoderParameters& parameters,
                     const std::vector<tests::Piece>& pieces,
                     std::size_t buffer_size = 4096) {
    return EncodeRun(codec_, memory_, parameters, 0, pieces, buffer_size);
  }

  void CheckFrame(const std::string& frame, const std::string& text,
                  std::uint64_t known_length) {
    ASSERT_EQ(DecodeZstdFrame(frame) == text, true) << text.size();
    EXPECT_LE(frame.size(), codec_.OutputBound(text.size()));
    const tests::ZstdHeader header = tests::ReadZstdHeader(frame);
    EXPECT_LE(header.window_size, kBrowserWindow);
    EXPECT_EQ(header.content_size,
              known_length != 0 ? known_length : UINT64_MAX);
  }

  ZstdCodec codec_;
  engine::HeapMemory memory_{SIZE_MAX};
};

TEST_P(ZstdLevels, EverySizeAndBufferDecodes) {
  for (std::size_t size : {0, 1, 19, 20, 21, 4095, 4096, 4097, 65'535, 65'536,
                           65'537, 131'071, 131'072, 131'073, (1 << 20) + 1}) {
    const std::string text = MakeText(size);
    const EncoderParameters parameters = Parameters(GetParam(), size);
    for (std::size_t buffer : {1, 7, 4096}) {
      if (buffer == 7 && size > 200'000) continue;  // takes seconds
      CheckFrame(Encode(parameters, {{text, Operation::kEndStream}}, buffer),
                 text, size);
    }
  }
  EXPECT_EQ(memory_.used(), 0u);
}

TEST_P(ZstdLevels, UnknownLengthsDecode) {
  for (std::size_t size : {0, 21, 131'072, 300'000}) {
    const std::string text = MakeText(size);
    CheckFrame(
        Encode(Parameters(GetParam()), {{text, Operation::kEndStream}}, 7),
        text, 0);
  }
}

TEST_P(ZstdLevels, FlushMakesAllBeforeDecodable) {
  const std::string text = MakeText(300'000);
  std::string frame, given;
  std::vector<tests::Piece> pieces;
  for (std::size_t size : {0, 1, 0, 5000, 140'000, 154'999}) {
    given += text.substr(given.size(), size);
    pieces.push_back(
        {text.substr(given.size() - size, size), Operation::kFlush});
    EXPECT_EQ(DecodeZstdBeginning(Encode(Parameters(GetParam()), pieces, 7)),
              given);
  }
  pieces.push_back({"", Operation::kEndStream});
  EXPECT_EQ(DecodeZstdFrame(Encode(Parameters(GetParam()), pieces)), given);
}

TEST_P(ZstdLevels, SlicesDecode) {
  const std::string text = MakeText(400'000);
  std::vector<tests::Piece> pieces;
  for (std::size_t at = 0; at < text.size(); at += 65'536) {
    pieces.push_back({text.substr(at, 65'536), Operation::kProcess});
    pieces.push_back({"", Operation::kProcess});
  }
  pieces.push_back({"", Operation::kEndStream});
  CheckFrame(Encode(Parameters(GetParam(), text.size()), pieces), text,
             text.size());
}

INSTANTIATE_TEST_SUITE_P(All, ZstdLevels, testing::Range(1, 23));
INSTANTIATE_TEST_SUITE_P(Negative, ZstdLevels, testing::Values(-5, -1, 0));

// Its own storage and memory, so that what it keeps can be watched.
class ZstdEncoderTest : public testing::Test {
 protected:
  std::string Drive(const EncoderParameters& parameters,
                    const std::string& text, bool keep,
                    std::uint64_t offset = 0) {
    return tests::DriveEncoder(encoder_, parameters, offset, "",
                               {{text, Operation::kEndStream}}, 4096, keep);
  }

  engine::HeapMemory memory_{SIZE_MAX};
  engine::Arena arena_{memory_};
  ZstdEncoder encoder_{arena_};
};

TEST_F(ZstdEncoderTest, IsAsGoodAsNewAfterAnyRun) {
  const ZstdCodec codec;
  std::mt19937 random(1);
  for (int i = 0; i < 60; ++i) {
    const int level = std::vector{-3, 1, 3, 5, 9, 13, 17}[random() % 7];
    const std::size_t size = random() % 3 == 0 ? random() % 400'000 : i * 37u;
    const std::string text = MakeText(size, static_cast<unsigned>(random()));
    EncoderParameters parameters = Parameters(level, i % 2 ? size : 0);
    parameters.long_distance = i % 5 == 0;
    const std::uint64_t offset = i % 7 == 0 ? 5 : 0;
    if (parameters.known_length > 0) parameters.known_length += offset;
    engine::HeapMemory other(SIZE_MAX);
    EXPECT_EQ(Drive(parameters, text, true, offset),
              EncodeRun(codec, other, parameters, offset,
                        {{text, Operation::kEndStream}}, 4096))
        << level << ' ' << size;
  }
  encoder_.End(false);
}

TEST_F(ZstdEncoderTest, KeepsMemoryOnlyWhenToldTo) {
  const std::string text = MakeText(100'000);
  encoder_.End(true);
  encoder_.End(false);
  EXPECT_EQ(memory_.used(), 0u);
  for (std::uint64_t offset : {0, 1000}) {
    Drive(Parameters(3), text, true, offset);
    arena_.Trim({engine::RetentionPolicy::Kind::kReleaseAll});
    EXPECT_GT(memory_.used(), 10'000u);
    encoder_.End(true);
    encoder_.End(false);
    encoder_.End(false);
    arena_.Trim({engine::RetentionPolicy::Kind::kReleaseAll});
    EXPECT_EQ(memory_.used(), 0u);
  }
}

// A run that is cut off in the middle leaves nothing behind either.
TEST_F(ZstdEncoderTest, EndsAtAnyTime) {
  const std::string text = MakeText(200'000);
  for (const bool keep : {true, false}) {
    for (std::uint64_t offset : {0, 1000}) {
      tests::DriveEncoder(encoder_, Parameters(5), offset, text,
                          {{text, Operation::kProcess}}, 100, keep);
    }
    EXPECT_EQ(DecodeZstdFrame(Drive(Parameters(5), text, keep)), text);
  }
  arena_.Trim({engine::RetentionPolicy::Kind::kReleaseAll});
  EXPECT_EQ(memory_.used(), 0u);
}

// The frame header has promised the length: no valid frame can be made.
TEST_F(ZstdEncoderTest, FailsWhenTheLengthWasALie) {
  const std::string text = MakeText(1000);
  for (std::uint64_t offset : {0, 10}) {
    for (const int lie : {-1, 1}) {
      const auto length = static_cast<std::uint64_t>(
          static_cast<int>(text.size() + offset) + lie);
      EXPECT_EQ(Drive(Parameters(3, length), text, false, offset), "");
    }
  }
  EXPECT_EQ(tests::DriveEncoder(encoder_, Parameters(3, 999), 0, "",
                                {{text.substr(0, 500), Operation::kFlush},
                                 {text.substr(500), Operation::kProcess}},
                                4096, false),
            "");
}

TEST(ZstdParameters, AreClampedAsTheLibraryDoes) {
  const ZstdCodec codec;
  engine::HeapMemory memory(SIZE_MAX);
  const std::string text = MakeText(3000);
  for (int level : {-2'000'000, kZstdMinLevel, 23, 1000}) {
    for (int window : {1, 9, 24, 31}) {
      EncoderParameters parameters = Parameters(level);
      parameters.window_log = window;
      parameters.target_block_size = window == 1 ? 1 : UINT32_MAX;
      EXPECT_EQ(DecodeZstdFrame(EncodeRun(codec, memory, parameters, 0,
                                          {{text, Operation::kEndStream}})),
                text);
    }
  }
}

TEST(ZstdParameters, BlocksKeepTheirTargetSize) {
  if (!ZstdHasTargetBlockSize()) GTEST_SKIP() << "before libzstd 1.5.6";
  const ZstdCodec codec;
  engine::HeapMemory memory(SIZE_MAX);
  const std::string text = MakeText(300'000);
  for (int level : {1, 3, 9, 19}) {
    EncoderParameters parameters = Parameters(level, text.size());
    const std::vector<tests::Piece> pieces = {{text, Operation::kEndStream}};
    const std::string without = EncodeRun(codec, memory, parameters, 0, pieces);
    parameters.target_block_size = 2000;
    const std::string with = EncodeRun(codec, memory, parameters, 0, pieces);
    EXPECT_EQ(DecodeZstdFrame(with), text);
    EXPECT_NE(with, without);
    // Half of the frame decodes to about half of the text.
    const std::size_t half =
        DecodeZstdBeginning(with.substr(0, with.size() / 2)).size();
    EXPECT_NEAR(static_cast<double>(half), 150'000, 25'000) << level;
  }
}

TEST(ZstdWindow, IsTheLevelsOrTheGivenAndShrinksToAKnownLength) {
  const auto window = [](int level, std::uint64_t length, int given = 0,
                         bool far = false) {
    EncoderParameters parameters = Parameters(level, length);
    parameters.window_log = given;
    parameters.long_distance = far;
    return ZstdWindowLog(parameters);
  };
  EXPECT_EQ(window(1, 0), 19);
  EXPECT_EQ(window(3, 0), 21);
  EXPECT_EQ(window(22, 0), 23);
  EXPECT_EQ(window(3, 1), 10);
  EXPECT_EQ(window(3, 1025), 11);
  EXPECT_EQ(window(3, 65'536), 16);
  EXPECT_EQ(window(3, 65'537), 17);
  EXPECT_EQ(window(3, 0, 17), 17);
  EXPECT_EQ(window(3, 1 << 30, 23), 23);
  EXPECT_EQ(window(3, 0, 0, true), 23);
  EXPECT_EQ(window(3, 100'000, 0, true), 17);
}

}  // namespace
}  // namespace sidepress::codecs
