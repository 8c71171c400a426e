#include "unit/codecs/run_encoder.h"

#include <brotli/decode.h>

#include <memory>
#include <random>

namespace sidepress::tests {

std::string DriveEncoder(engine::SegmentEncoder& encoder,
                         const engine::EncoderParameters& parameters,
                         std::uint64_t offset, const std::string& context,
                         const std::vector<Piece>& pieces,
                         std::size_t buffer_size, bool keep) {
  const auto bytes = [](const std::string& text) {
    return reinterpret_cast<const std::uint8_t*>(text.data());
  };
  engine::Status status =
      encoder.Begin(parameters, offset, {bytes(context), context.size()});
  std::string output;
  std::string buffer(buffer_size, '\0');
  for (const Piece& piece : pieces) {
    engine::EncoderBuffers buffers;
    buffers.input = bytes(piece.bytes);
    buffers.input_size = piece.bytes.size();
    for (bool done = false; !done && status == engine::Status::kOk;) {
      buffers.output = reinterpret_cast<std::uint8_t*>(buffer.data());
      buffers.output_size = buffer.size();
      status = encoder.Compress(piece.operation, buffers, &done);
      output.append(buffer, 0, buffer.size() - buffers.output_size);
    }
  }
  encoder.End(keep);
  return status == engine::Status::kOk ? output : "";
}

std::string EncodeRun(const engine::Codec& codec, engine::MemorySource& memory,
                      const engine::EncoderParameters& parameters,
                      std::uint64_t offset, const std::vector<Piece>& pieces,
                      std::size_t buffer_size, const std::string& context) {
  engine::Arena arena(memory);
  auto storage = std::make_unique<std::max_align_t[]>(
      codec.EncoderSize() / sizeof(std::max_align_t) + 1);
  engine::SegmentEncoder* encoder = codec.Construct(storage.get(), arena);
  return DriveEncoder(*encoder, parameters, offset, context, pieces,
                      buffer_size, false);
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
