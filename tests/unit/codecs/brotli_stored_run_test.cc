#include "brotli/brotli_stored_run.h"

#include <gtest/gtest.h>

#include <string>

#include "brotli/brotli_codec.h"
#include "unit/codecs/run_encoder.h"

namespace sidepress::codecs {
namespace {

using engine::Operation;

// With no memory at all every run is stored.
class StoredRun : public testing::TestWithParam<int> {
 protected:
  std::string Encode(std::uint64_t offset,
                     const std::vector<tests::Piece>& pieces,
                     std::size_t buffer_size) {
    engine::EncoderParameters parameters;
    parameters.level = 5;
    parameters.window_log = GetParam();
    return tests::EncodeRun(codec_, nothing_, parameters, offset, pieces,
                            buffer_size);
  }

  BrotliCodec codec_;
  engine::HeapMemory nothing_{0};
};

TEST_P(StoredRun, DecodesAtEverySizeAndBuffer) {
  for (std::size_t size : {0, 1, 65'535, 65'536, 65'537, 200'000}) {
    const std::string text = tests::MakeText(size);
    for (std::size_t buffer : {1, 7, 4096}) {
      const std::string stream =
          Encode(0, {{text, Operation::kEndStream}}, buffer);
      EXPECT_EQ(tests::DecodeBrotliStream(stream), text);
      EXPECT_LE(stream.size(), codec_.OutputBound(size));
    }
  }
}

TEST_P(StoredRun, JoinsWithEncodedRuns) {
  const std::string text = tests::MakeText(100'000);
  engine::HeapMemory memory(SIZE_MAX);
  engine::EncoderParameters parameters;
  parameters.level = 5;
  parameters.window_log = GetParam();
  const std::string stream =
      Encode(0, {{text.substr(0, 10'000), Operation::kEndRun}}, 100) +
      tests::EncodeRun(codec_, memory, parameters, 10'000,
                       {{text.substr(10'000, 50'000), Operation::kEndRun}}) +
      Encode(60'000, {{text.substr(60'000), Operation::kEndStream}}, 100);
  EXPECT_EQ(tests::DecodeBrotliStream(stream), text);
}

INSTANTIATE_TEST_SUITE_P(Windows, StoredRun, testing::Range(10, 25));

}  // namespace
}  // namespace sidepress::codecs
