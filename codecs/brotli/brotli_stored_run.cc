#include "brotli/brotli_stored_run.h"

#include <algorithm>

namespace sidepress::codecs {
namespace {

// Four nibbles of length: the longest meta-block with the shortest header.
constexpr std::size_t kMaxBlock = 1u << 16;

}  // namespace

// RFC 7932 section 9.1: the stream header is the window size, in 1, 4 or 7
// bits.
void BrotliStoredRun::Begin(int window_log, bool with_header) noexcept {
  *this = BrotliStoredRun();
  if (!with_header) return;
  const auto log = static_cast<std::uint32_t>(window_log);
  if (log == 16) {
    PutBits(0, 1);
  } else if (log == 17) {
    PutBits(1, 7);
  } else if (log > 17) {
    PutBits(((log - 17) << 1) | 1, 4);
  } else {
    PutBits(((log - 8) << 4) | 1, 7);
  }
}

void BrotliStoredRun::PutBits(std::uint32_t value, int count) noexcept {
  bits_ |= value << bit_count_;
  bit_count_ += count;
  while (bit_count_ >= 8) {
    header_[header_size_++] = static_cast<std::uint8_t>(bits_);
    bits_ >>= 8;
    bit_count_ -= 8;
  }
}

void BrotliStoredRun::PadToByte() noexcept {
  if (bit_count_ > 0) PutBits(0, 8 - bit_count_);
}

// ISLAST 0, MNIBBLES 4, MLEN - 1, ISUNCOMPRESSED 1, padding.
void BrotliStoredRun::StartBlock(std::size_t size) noexcept {
  PutBits(0, 3);
  PutBits(static_cast<std::uint32_t>(size - 1), 16);
  PutBits(1, 1);
  PadToByte();
  block_left_ = size;
}

void BrotliStoredRun::WriteHeader(engine::EncoderBuffers& buffers) noexcept {
  const std::size_t size =
      std::min(header_size_ - header_written_, buffers.output_size);
  std::copy_n(header_.data() + header_written_, size, buffers.output);
  buffers.output += size;
  buffers.output_size -= size;
  header_written_ += size;
  if (header_written_ == header_size_) header_size_ = header_written_ = 0;
}

void BrotliStoredRun::Compress(engine::Operation operation,
                               engine::EncoderBuffers& buffers,
                               bool* done) noexcept {
  *done = false;
  while (true) {
    WriteHeader(buffers);
    if (header_size_ > 0) return;
    const std::size_t size =
        std::min({block_left_, buffers.input_size, buffers.output_size});
    std::copy_n(buffers.input, size, buffers.output);  // input may be null
    buffers.input += size;
    buffers.input_size -= size;
    buffers.output += size;
    buffers.output_size -= size;
    block_left_ -= size;
    if (block_left_ > 0) return;  // no output is left
    if (buffers.input_size > 0) {
      StartBlock(std::min(buffers.input_size, kMaxBlock));
      continue;
    }
    if (operation == engine::Operation::kEndStream && !end_mark_put_) {
      PutBits(3, 2);  // ISLAST, ISLASTEMPTY
      PadToByte();
      end_mark_put_ = true;
      continue;
    }
    *done = true;
    return;
  }
}

}  // namespace sidepress::codecs
