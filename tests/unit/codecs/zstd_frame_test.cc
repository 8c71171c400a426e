#include "zstd/zstd_frame.h"

#include <gtest/gtest.h>

#include <string>

#include "unit/codecs/run_encoder.h"
#include "zstd/zstd_codec.h"

namespace sidepress::codecs {
namespace {

ZstdFrameCheck Check(const std::string& bytes) {
  return CheckZstdFrame(
      {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

const std::string kMagic = "\x28\xB5\x2F\xFD";

// A frame header descriptor and what follows it.
std::string Header(int descriptor, const std::string& fields) {
  return kMagic + static_cast<char>(descriptor) + fields;
}

TEST(ZstdFrame, OwnFramesAreWell) {
  const ZstdCodec codec;
  engine::HeapMemory memory(SIZE_MAX);
  for (std::size_t size : {0, 1, 300, 70'000, 9'000'000}) {
    for (std::uint64_t known : {std::uint64_t{0}, std::uint64_t{size}}) {
      engine::EncoderParameters parameters;
      parameters.level = 1;
      parameters.long_distance = true;
      parameters.known_length = known;
      const std::string frame = tests::EncodeRun(
          codec, memory, parameters, 0,
          {{std::string(size, 'x'), engine::Operation::kEndStream}});
      EXPECT_EQ(Check(frame), ZstdFrameCheck::kOk) << size;
    }
  }
}

TEST(ZstdFrame, OtherFilesAreNot) {
  EXPECT_EQ(Check("<!doctype html>"), ZstdFrameCheck::kNotZstd);
  EXPECT_EQ(Check("\x1F\x8B\x08"), ZstdFrameCheck::kNotZstd);
  EXPECT_EQ(Check("\x28\xB5\x2F"), ZstdFrameCheck::kTruncated);
  EXPECT_EQ(Check("\x28\xB5\x2E"), ZstdFrameCheck::kNotZstd);
  // A skippable frame: clients stop at it.
  EXPECT_EQ(Check(std::string("\x50\x2A\x4D\x18\x04\0\0\0abcd", 12)),
            ZstdFrameCheck::kNotZstd);
  // The reserved bit.
  EXPECT_EQ(Check(Header(0x08, "\x50 more")), ZstdFrameCheck::kNotZstd);
}

TEST(ZstdFrame, EveryBeginningIsTruncated) {
  // A dictionary of 4 bytes and a length of 8.
  const std::string header = Header(0xC3, std::string("\x50"
                                                      "dict"
                                                      "\1\0\0\0\0\0\0\0",
                                                      13));
  ASSERT_EQ(header.size(), kZstdMaxFrameHeader);
  EXPECT_EQ(Check(header), ZstdFrameCheck::kOk);
  for (std::size_t size = 0; size < header.size(); ++size) {
    EXPECT_EQ(Check(header.substr(0, size)), ZstdFrameCheck::kTruncated);
  }
}

TEST(ZstdFrame, WindowsEndAtEightMiB) {
  const auto window = [](int exponent, int mantissa) {
    return Check(
        Header(0, std::string(1, static_cast<char>(exponent << 3 | mantissa))));
  };
  EXPECT_EQ(window(0, 0), ZstdFrameCheck::kOk);
  EXPECT_EQ(window(12, 7), ZstdFrameCheck::kOk);
  EXPECT_EQ(window(13, 0), ZstdFrameCheck::kOk);
  EXPECT_EQ(window(13, 1), ZstdFrameCheck::kWindowTooLarge);
  EXPECT_EQ(window(14, 0), ZstdFrameCheck::kWindowTooLarge);
  EXPECT_EQ(window(31, 7), ZstdFrameCheck::kWindowTooLarge);
}

TEST(ZstdFrame, SingleSegmentsHaveTheirLengthAsWindow) {
  EXPECT_EQ(Check(Header(0x20, "\xFF")), ZstdFrameCheck::kOk);
  EXPECT_EQ(Check(Header(0x60, "\xFF\xFF")), ZstdFrameCheck::kOk);
  EXPECT_EQ(Check(Header(0xA0, std::string("\0\0\x80\0", 4))),
            ZstdFrameCheck::kOk);
  EXPECT_EQ(Check(Header(0xA0, std::string("\1\0\x80\0", 4))),
            ZstdFrameCheck::kWindowTooLarge);
  EXPECT_EQ(Check(Header(0xE0, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF")),
            ZstdFrameCheck::kWindowTooLarge);
}

}  // namespace
}  // namespace sidepress::codecs
