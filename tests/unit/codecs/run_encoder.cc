#include "unit/codecs/run_encoder.h"

#include <brotli/decode.h>

#include <memory>
#include <random>

namespace sidepress::tests {

std::string EncodeRun(const engine::Codec& codec, engine::MemorySource& memory,
                      const engine::EncoderParameters& parameters,
                      std::uint64_t offset, const std::vector<Piece>& pieces,
                      std::size_t buffer_size) {
  engine::Arena arena(memory);
  auto storage = std::make_unique<std::max_align_t[]>(
      codec.EncoderSize() / sizeof(std::max_align_t) + 1);
  engine::SegmentEncoder* encoder = codec.Construct(storage.get(), arena);
  if (encoder->Begin(parameters, offset, {}) != engine::Status::kOk) return "";
  std::string output;
  std::string buffer(buffer_size, '\0');
  for (const Piece& piece : pieces) {
    engine::EncoderBuffers buffers;
    buffers.input = reinterpret_cast<const std::uint8_t*>(piece.bytes.data());
    buffers.input_size = piece.bytes.size();
    for (bool done = false; !done;) {
      buffers.output = reinterpret_cast<std::uint8_t*>(buffer.data());
      buffers.output_size = buffer.size();
      if (encoder->Compress(piece.operation, buffers, &done) !=
          engine::Status::kOk) {
        encoder->End(false);
        return "";
      }
      output.append(buffer, 0, buffer.size() - buffers.output_size);
    }
  }
  encoder->End(false);
  return output;
}

std::string DecodeBrotliStream(const std::string& stream) {
  BrotliDecoderState* state =
      BrotliDecoderCreateInstance(nullptr, nullptr, nullptr);
  std::size_t available_in = stream.size();
  auto* next_in = reinterpret_cast<const std::uint8_t*>(stream.data());
  std::string decoded;
  BrotliDecoderResult result = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;
  while (result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT) {
    std::uint8_t out[16384];
    std::size_t available_out = sizeof(out);
    std::uint8_t* next_out = out;
    result = BrotliDecoderDecompressStream(state, &available_in, &next_in,
                                           &available_out, &next_out, nullptr);
    decoded.append(reinterpret_cast<char*>(out), sizeof(out) - available_out);
  }
  BrotliDecoderDestroyInstance(state);
  const bool whole =
      result == BROTLI_DECODER_RESULT_SUCCESS && available_in == 0;
  return whole ? decoded : "not a stream";
}

std::string MakeText(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::string text;
  while (text.size() < size) {
    const auto word = random() % (random() % 500 + 1);
    text += "word" + std::to_string(word * 2654435761u % 1000003) + ' ';
  }
  text.resize(size);
  return text;
}

}  // namespace sidepress::tests
