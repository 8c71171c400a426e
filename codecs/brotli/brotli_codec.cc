#include "brotli/brotli_codec.h"

#include <algorithm>
#include <new>

#include "brotli/brotli_encoder.h"

namespace sidepress::codecs {

std::size_t BrotliCodec::EncoderSize() const noexcept {
  return sizeof(BrotliEncoder);
}

engine::SegmentEncoder* BrotliCodec::Construct(
    void* storage, engine::Arena& arena) const noexcept {
  return new (storage) BrotliEncoder(arena);
}

// Stored meta-blocks: at most 6 bytes for each 16 KiB, and the stream's
// header and end.
std::size_t BrotliCodec::OutputBound(std::size_t input_size) const noexcept {
  return input_size + 6 * (input_size / (16 * 1024) + 1) + 16;
}

int BrotliWindowLog(const engine::EncoderParameters& parameters) noexcept {
  int log = parameters.window_log;
  if (parameters.known_length == 0) return log;
  while (log > kBrotliMinWindowLog &&
         parameters.known_length <= (std::uint64_t{1} << (log - 1))) {
    --log;
  }
  return log;
}

std::uint64_t BrotliSizeHint(
    const engine::EncoderParameters& parameters) noexcept {
  constexpr std::uint64_t kBelowLarge = (1u << 20) - 1;
  const bool keeps_small = parameters.level >= 5 && parameters.level <= 8;
  return keeps_small ? std::min(parameters.known_length, kBelowLarge)
                     : parameters.known_length;
}

}  // namespace sidepress::codecs
