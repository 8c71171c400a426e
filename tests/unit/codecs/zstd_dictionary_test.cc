#include "zstd/zstd_dictionary.h"

#include <gtest/gtest.h>
#include <zdict.h>

#include <string>
#include <vector>

#include "unit/codecs/run_encoder.h"
#include "unit/codecs/zstd_frames.h"
#include "zstd/zstd_codec.h"

namespace sidepress::codecs {
namespace {

using engine::Operation;
using tests::DecodeZstdFrame;

std::string TrainDictionary() {
  std::string samples;
  std::vector<std::size_t> sizes;
  for (unsigned seed = 100; seed < 400; ++seed) {
    samples += tests::MakeText(600, seed);
    sizes.push_back(600);
  }
  std::string dictionary(8000, '\0');
  const std::size_t size = ZDICT_trainFromBuffer(
      dictionary.data(), dictionary.size(), samples.data(), sizes.data(),
      static_cast<unsigned>(sizes.size()));
  EXPECT_FALSE(ZDICT_isError(size));
  dictionary.resize(size);
  return dictionary;
}

ZstdDictionary* Digest(const std::string& bytes, int level,
                       const char** reason) {
  return ZstdDictionary::Create(
      {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()},
      level, reason);
}

class ZstdDictionaries : public testing::TestWithParam<int> {
 protected:
  void RoundTrip(const std::string& bytes, bool smaller) {
    const char* reason = nullptr;
    ZstdDictionary* dictionary = Digest(bytes, GetParam(), &reason);
    ASSERT_NE(dictionary, nullptr);
    for (std::size_t size : {0, 1, 700, 20'000, 200'000}) {
      for (const bool known : {false, true}) {
        const std::string text = tests::MakeText(size, 7);
        engine::EncoderParameters parameters;
        parameters.level = GetParam();
        parameters.known_length = known ? size : 0;
        const std::string without = Encode(parameters, text);
        parameters.dictionary = dictionary;
        const std::string frame = Encode(parameters, text);
        EXPECT_EQ(DecodeZstdFrame(frame, bytes), text) << size;
        const tests::ZstdHeader header = tests::ReadZstdHeader(frame);
        EXPECT_LE(header.window_size, 8u << 20);
        if (known && size > 0) {
          EXPECT_EQ(header.content_size, size);
        }
        if (smaller && size == 700) {
          EXPECT_LT(frame.size(), without.size());
        }
        if (size < 2) continue;
        EXPECT_EQ(DecodeZstdFrame(Join(parameters, text), bytes), text) << size;
      }
    }
    dictionary->Dispose();
  }

  std::string Encode(const engine::EncoderParameters& parameters,
                     const std::string& text) {
    return tests::EncodeRun(codec_, memory_, parameters, 0,
                            {{text, Operation::kEndStream}});
  }

  std::string Join(const engine::EncoderParameters& parameters,
                   const std::string& text) {
    const std::size_t cut = text.size() / 2;
    return tests::EncodeRun(codec_, memory_, parameters, 0,
                            {{text.substr(0, cut), Operation::kEndRun}}) +
           tests::EncodeRun(codec_, memory_, parameters, cut,
                            {{text.substr(cut), Operation::kEndStream}}, 1000,
                            text.substr(0, cut));
  }

  ZstdCodec codec_;
  engine::HeapMemory memory_{SIZE_MAX};
};

TEST_P(ZstdDictionaries, TrainedOnesRoundTrip) {
  RoundTrip(TrainDictionary(), true);
}

TEST_P(ZstdDictionaries, PlainContentRoundTrips) {
  RoundTrip(tests::MakeText(5000, 7), true);
  RoundTrip("just 9 by", false);
}

INSTANTIATE_TEST_SUITE_P(Levels, ZstdDictionaries,
                         testing::Values(-1, 1, 3, 6, 12, 19));

TEST(ZstdDictionary, RefusesWhatItCannotUse) {
  const char* reason = nullptr;
  EXPECT_EQ(Digest("", 3, &reason), nullptr);
  EXPECT_STREQ(reason, "the dictionary is shorter than 8 bytes");
  reason = nullptr;
  EXPECT_EQ(Digest("1234567", 3, &reason), nullptr);
  EXPECT_STREQ(reason, "the dictionary is shorter than 8 bytes");
  EXPECT_EQ(Digest("\x37\xA4\x30\xEC damaged from here on", 3, &reason),
            nullptr);
  EXPECT_STREQ(reason, "the dictionary is damaged");
}

}  // namespace
}  // namespace sidepress::codecs
