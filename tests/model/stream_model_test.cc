// The model test: random sequences of everything that can happen to a
// response, with each property of docs/architecture.md checked.
//
// A failure prints its seed; SIDEPRESS_MODEL_SEED=N runs that sequence alone,
// SIDEPRESS_MODEL_SEQUENCES=N sets how many are run.
#include <brotli/decode.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "brotli/brotli_codec.h"
#include "model/sequence.h"

namespace sidepress::tests {
namespace {

Decoded DecodeBrotli(const std::string& stream) {
  Decoded decoded;
  BrotliDecoderState* state =
      BrotliDecoderCreateInstance(nullptr, nullptr, nullptr);
  std::size_t available_in = stream.size();
  auto* next_in = reinterpret_cast<const std::uint8_t*>(stream.data());
  BrotliDecoderResult result = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;
  while (result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT ||
         BrotliDecoderHasMoreOutput(state)) {
    std::uint8_t out[4096];
    std::size_t available_out = sizeof(out);
    std::uint8_t* next_out = out;
    result = BrotliDecoderDecompressStream(state, &available_in, &next_in,
                                           &available_out, &next_out, nullptr);
    decoded.bytes.append(reinterpret_cast<char*>(out),
                         sizeof(out) - available_out);
  }
  decoded.ended = result == BROTLI_DECODER_RESULT_SUCCESS;
  decoded.valid = result != BROTLI_DECODER_RESULT_ERROR && available_in == 0;
  BrotliDecoderDestroyInstance(state);
  return decoded;
}

std::uint32_t Setting(const char* name, std::uint32_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr
             ? otherwise
             : static_cast<std::uint32_t>(std::strtoul(value, nullptr, 10));
}

void RunSequences(std::uint32_t count, const CodecUnderTest& subject) {
  std::uint32_t first = 1;
  if (std::getenv("SIDEPRESS_MODEL_SEED") != nullptr) {
    first = Setting("SIDEPRESS_MODEL_SEED", 0);
    count = 1;
  }
  Outcome sum;
  for (std::uint32_t seed = first; seed < first + count; ++seed) {
    const Outcome outcome = RunSequence(seed, subject);
    ASSERT_EQ(outcome.error, "") << "SIDEPRESS_MODEL_SEED=" << seed;
    sum.completed += outcome.completed;
    sum.cancelled += outcome.cancelled;
    sum.failed += outcome.failed;
    sum.runs += outcome.runs;
  }
  if (count < 1000) return;
  // The sequences must reach what they are meant to test.
  EXPECT_GT(sum.completed, count);
  EXPECT_GT(sum.cancelled, count / 50);
  EXPECT_GT(sum.failed, count / 50);
  EXPECT_GT(sum.runs, sum.completed + sum.completed / 10);
}

TEST(StreamModel, ToyCodec) {
  const ToyCodec codec;
  RunSequences(Setting("SIDEPRESS_MODEL_SEQUENCES", 20'000),
               {codec, DecodeToy, 1, 1});
}

class BrotliModel : public testing::TestWithParam<int> {};

TEST_P(BrotliModel, EveryScheduleDecodes) {
  const codecs::BrotliCodec codec;
  RunSequences(150, {codec, DecodeBrotli, GetParam(), 40});
}

INSTANTIATE_TEST_SUITE_P(Levels, BrotliModel,
                         testing::Values(0, 1, 2, 3, 4, 5, 6, 9, 11));

}  // namespace
}  // namespace sidepress::tests
