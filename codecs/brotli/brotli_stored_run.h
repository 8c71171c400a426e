// A run of uncompressed meta-blocks (RFC 7932 section 9.2): what is sent when
// an encoder cannot have its memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "compression_engine/codec.h"

namespace sidepress::codecs {

class BrotliStoredRun {
 public:
  // `window_log`: declared in the stream header, which only the first run
  // (`with_header`) has.
  void Begin(int window_log, bool with_header) noexcept;

  // As SegmentEncoder::Compress; cannot fail.
  void Compress(engine::Operation operation, engine::EncoderBuffers& buffers,
                bool* done) noexcept;

 private:
  void PutBits(std::uint32_t value, int count) noexcept;
  void PadToByte() noexcept;
  void StartBlock(std::size_t size) noexcept;
  void WriteHeader(engine::EncoderBuffers& buffers) noexcept;

  std::array<std::uint8_t, 8> header_{};  // bytes that wait to be written
  std::size_t header_size_ = 0;
  std::size_t header_written_ = 0;
  std::uint32_t bits_ = 0;  // that do not fill a byte yet
  int bit_count_ = 0;
  std::size_t block_left_ = 0;  // bytes of the open meta-block to be copied
  bool end_mark_put_ = false;
};

}  // namespace sidepress::codecs
