#include "zstd/zstd_joined_run.h"

#include <algorithm>

#include "zstd/zstd_library.h"

namespace sidepress::codecs {
namespace {

// Input that the buffer has room for: what a lane is given at segments of the
// default size, one when the length is unknown, or up to four.
constexpr std::size_t kInputOfUnknownLength = 1u << 20;
constexpr std::size_t kMostInput = 4u << 20;

}  // namespace

int ZstdJoinedRun::Begin(engine::Arena& arena, ZSTD_CCtx* library,
                         int window_log, std::uint64_t length,
                         std::span<const std::uint8_t> context) noexcept {
  *this = ZstdJoinedRun();
  library_ = library;
  const std::size_t window = std::size_t{1} << window_log;
  const std::size_t room =
      length == kUnknownLength
          ? kInputOfUnknownLength
          : static_cast<std::size_t>(
                std::min<std::uint64_t>(length, kMostInput));
  context = context.last(std::min(context.size(), window));
  capacity_ = context.size() + room;
  kept_ = std::min(window, capacity_ / 2);
  block_limit_ = std::min<std::size_t>(window, ZSTD_BLOCKSIZE_MAX);
  block_capacity_ = ZSTD_compressBound(block_limit_) + 1;
  bytes_ = static_cast<std::uint8_t*>(arena.Allocate(capacity_));
  block_ = static_cast<std::uint8_t*>(arena.Allocate(block_capacity_));
  if (bytes_ == nullptr || block_ == nullptr) {
    return ZSTD_error_memory_allocation;
  }
  std::copy(context.begin(), context.end(), bytes_);
  filled_ = compressed_ = context.size();
  // The buffers of the library's streaming interface are not needed.
  for (const ZSTD_cParameter unneeded :
       {ZSTD_c_stableInBuffer, ZSTD_c_stableOutBuffer}) {
    const std::size_t result = ZSTD_CCtx_setParameter(library_, unneeded, 1);
    if (ZSTD_isError(result)) return ZSTD_getErrorCode(result);
  }
  return Load();
}

void ZstdJoinedRun::End(engine::Arena& arena) noexcept {
  arena.Free(bytes_);
  arena.Free(block_);
  bytes_ = block_ = nullptr;
}

// Begins a frame with the buffer as what precedes it, without its header.
int ZstdJoinedRun::Load() noexcept {
  // Raw, because bytes that happen to look like a dictionary are none.
  std::size_t result = ZSTD_CCtx_refPrefix_advanced(library_, bytes_, filled_,
                                                    ZSTD_dct_rawContent);
  if (ZSTD_isError(result)) return ZSTD_getErrorCode(result);
  // A flush of nothing allocates and indexes the prefix, but writes nothing;
  // then a block of nothing is the header alone.
  ZSTD_inBuffer nothing = {nullptr, 0, 0};
  ZSTD_outBuffer no_room = {nullptr, 0, 0};
  result = ZSTD_compressStream2(library_, &no_room, &nothing, ZSTD_e_flush);
  if (ZSTD_isError(result)) return ZSTD_getErrorCode(result);
  std::array<std::uint8_t, ZSTD_FRAMEHEADERSIZE_MAX> header;
  result =
      ZSTD_compressContinue(library_, header.data(), header.size(), nullptr, 0);
  if (ZSTD_isError(result)) return ZSTD_getErrorCode(result);
  // The decoder has other last offsets than a frame begins with.
  ForgetRepeatOffsets(library_);
  return ZSTD_error_no_error;
}

int ZstdJoinedRun::Slide() noexcept {
  const std::size_t kept = std::min(kept_, filled_);
  std::copy(bytes_ + filled_ - kept, bytes_ + filled_, bytes_);
  filled_ = compressed_ = kept;
  ZSTD_CCtx_reset(library_, ZSTD_reset_session_only);
  return Load();
}

void ZstdJoinedRun::TakeInput(engine::EncoderBuffers& buffers) noexcept {
  const std::size_t size = std::min({buffers.input_size, capacity_ - filled_,
                                     block_limit_ - (filled_ - compressed_)});
  std::copy_n(buffers.input, size, bytes_ + filled_);  // input may be null
  buffers.input += size;
  buffers.input_size -= size;
  filled_ += size;
}

bool ZstdJoinedRun::CompressBlock(bool last) noexcept {
  const std::uint8_t* input = bytes_ + compressed_;
  const std::size_t size = filled_ - compressed_;
  const std::size_t result =
      last ? ZSTD_compressEnd(library_, block_, block_capacity_, input, size)
           : ZSTD_compressContinue(library_, block_, block_capacity_, input,
                                   size);
  if (ZSTD_isError(result)) return false;
  block_size_ = result;
  block_written_ = 0;
  compressed_ = filled_;
  last_block_made_ = last;
  return true;
}

void ZstdJoinedRun::WriteOutput(engine::EncoderBuffers& buffers) noexcept {
  const std::size_t size =
      std::min(block_size_ - block_written_, buffers.output_size);
  std::copy_n(block_ + block_written_, size, buffers.output);
  buffers.output += size;
  buffers.output_size -= size;
  block_written_ += size;
}

bool ZstdJoinedRun::Compress(engine::Operation operation,
                             engine::EncoderBuffers& buffers,
                             bool* done) noexcept {
  *done = false;
  const bool flushed = operation != engine::Operation::kProcess;
  const bool ended = operation == engine::Operation::kEndStream;
  while (true) {
    WriteOutput(buffers);
    if (block_written_ < block_size_) return true;
    if (buffers.input_size > 0 && compressed_ == capacity_ &&
        Slide() != ZSTD_error_no_error) {
      return false;
    }
    TakeInput(buffers);
    const bool all_taken = buffers.input_size == 0;
    const std::size_t waiting = filled_ - compressed_;
    const bool full = waiting == block_limit_ || filled_ == capacity_;
    const bool last = ended && all_taken && !last_block_made_;
    if (last || (waiting > 0 && (full || (flushed && all_taken)))) {
      if (!CompressBlock(last)) return false;
    } else if (all_taken) {
      *done = true;
      return true;
    }
  }
}

}  // namespace sidepress::codecs
