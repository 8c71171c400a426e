// A run of raw blocks (RFC 8878 section 3.1.1.2): what is sent when an
// encoder cannot have its memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "compression_engine/codec.h"

namespace sidepress::codecs {

class ZstdRawRun {
 public:
  // `window_log` bounds the blocks. The first run (`with_header`) declares it,
  // and `known_length` (0: unknown), in the frame header.
  void Begin(int window_log, std::uint64_t known_length,
             bool with_header) noexcept;

  // As SegmentEncoder::Compress; cannot fail.
  void Compress(engine::Operation operation, engine::EncoderBuffers& buffers,
                bool* done) noexcept;

 private:
  void Put(std::uint64_t value, int bytes) noexcept;
  void PutFrameHeader(int window_log, std::uint64_t known_length) noexcept;
  void StartBlock(std::size_t size, bool last) noexcept;
  void WriteHeader(engine::EncoderBuffers& buffers) noexcept;

  std::array<std::uint8_t, 18> header_{};  // bytes that wait to be written
  std::size_t header_size_ = 0;
  std::size_t header_written_ = 0;
  std::size_t block_limit_ = 0;
  std::size_t block_left_ = 0;  // bytes of the open block to be copied
  bool last_block_put_ = false;
};

}  // namespace sidepress::codecs
