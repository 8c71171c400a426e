#include "zstd/zstd_raw_run.h"

#include <algorithm>

namespace sidepress::codecs {
namespace {

constexpr std::size_t kMaxBlock = 128 * 1024;
constexpr std::uint32_t kFrameMagic = 0xFD2FB528;

}  // namespace

void ZstdRawRun::Begin(int window_log, std::uint64_t known_length,
                       bool with_header) noexcept {
  *this = ZstdRawRun();
  block_limit_ = std::min(kMaxBlock, std::size_t{1} << window_log);
  if (with_header) PutFrameHeader(window_log, known_length);
}

void ZstdRawRun::Put(std::uint64_t value, int bytes) noexcept {
  for (; bytes > 0; --bytes) {
    header_[header_size_++] = static_cast<std::uint8_t>(value);
    value >>= 8;
  }
}

// RFC 8878 section 3.1.1.1. A length that the window spans takes the window's
// place ("single segment"), as the library writes it.
void ZstdRawRun::PutFrameHeader(int window_log,
                                std::uint64_t known_length) noexcept {
  const bool known = known_length != 0;
  const bool single = known && known_length <= (std::uint64_t{1} << window_log);
  int size_code =
      0;  // the length takes 2^code bytes; none for 0, unless single
  if (known_length >= 256) ++size_code;
  if (known_length >= 65'536 + 256) ++size_code;
  if (known_length >= 0xFFFFFFFF) ++size_code;
  Put(kFrameMagic, 4);
  Put(static_cast<std::uint64_t>((size_code << 6) | (single ? 1 << 5 : 0)), 1);
  if (!single) Put(static_cast<std::uint64_t>((window_log - 10) << 3), 1);
  if (size_code == 1) known_length -= 256;
  if (size_code > 0 || single) Put(known_length, 1 << size_code);
}

// Last_Block, Block_Type 0 (raw), Block_Size.
void ZstdRawRun::StartBlock(std::size_t size, bool last) noexcept {
  Put((size << 3) | (last ? 1 : 0), 3);
  block_left_ = size;
  last_block_put_ = last;
}

void ZstdRawRun::WriteHeader(engine::EncoderBuffers& buffers) noexcept {
  const std::size_t size =
      std::min(header_size_ - header_written_, buffers.output_size);
  std::copy_n(header_.data() + header_written_, size, buffers.output);
  buffers.output += size;
  buffers.output_size -= size;
  header_written_ += size;
  if (header_written_ == header_size_) header_size_ = header_written_ = 0;
}

void ZstdRawRun::Compress(engine::Operation operation,
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
      StartBlock(std::min(buffers.input_size, block_limit_), false);
      continue;
    }
    if (operation == engine::Operation::kEndStream && !last_block_put_) {
      StartBlock(0, true);
      continue;
    }
    *done = true;
    return;
  }
}

}  // namespace sidepress::codecs
