// A run that follows another in the same zstd frame.
//
// Its repeat offsets are unknown at first, which libzstd stands only while
// all that it may match lies in one piece of memory: split in two, as its own
// window buffer is once it wraps around, or as a prefix beside it is, unknown
// offsets match anything and the output decodes to wrong bytes. So the
// context and the run's input are laid out here in one piece, as the
// library's own threads do, and blocks are compressed from there. A run that
// outgrows the buffer is continued as yet another run, with the end of the
// buffer as its context.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "compression_engine/codec.h"

struct ZSTD_CCtx_s;

namespace sidepress::codecs {

class ZstdJoinedRun {
 public:
  static constexpr std::uint64_t kUnknownLength = UINT64_MAX;

  // `library`: with its parameters set, which stay set; used until End.
  // `length`: bytes that the run has at most, or kUnknownLength. Returns: an
  // error code of the library, 0 when all went well.
  int Begin(engine::Arena& arena, ZSTD_CCtx_s* library, int window_log,
            std::uint64_t length,
            std::span<const std::uint8_t> context) noexcept;

  // As SegmentEncoder::Compress. Returns: false when the library failed.
  bool Compress(engine::Operation operation, engine::EncoderBuffers& buffers,
                bool* done) noexcept;

  // Gives the memory back; may be called again, and without a Begin.
  void End(engine::Arena& arena) noexcept;

 private:
  int Load() noexcept;
  int Slide() noexcept;
  void TakeInput(engine::EncoderBuffers& buffers) noexcept;
  bool CompressBlock(bool last) noexcept;
  void WriteOutput(engine::EncoderBuffers& buffers) noexcept;

  ZSTD_CCtx_s* library_ = nullptr;

  // Context, then input; what is before compressed_ may be matched.
  std::uint8_t* bytes_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t filled_ = 0;
  std::size_t compressed_ = 0;
  std::size_t kept_ = 0;  // bytes that stay when the buffer is full
  std::size_t block_limit_ = 0;

  // One compressed block, yet to be written.
  std::uint8_t* block_ = nullptr;
  std::size_t block_capacity_ = 0;
  std::size_t block_size_ = 0;
  std::size_t block_written_ = 0;
  bool last_block_made_ = false;
};

}  // namespace sidepress::codecs
