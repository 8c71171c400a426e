// One run of a Brotli stream.
#pragma once

#include <csetjmp>

#include "brotli/brotli_stored_run.h"
#include "compression_engine/codec.h"

struct BrotliEncoderStateStruct;

namespace sidepress::codecs {

class BrotliEncoder final : public engine::SegmentEncoder {
 public:
  explicit BrotliEncoder(engine::Arena& arena) noexcept : arena_(arena) {}

  // Later runs (`offset` > 0) leave out the stream header and refer to
  // nothing before them but, through the offset, the static dictionary at
  // its right distance. When memory is refused here or in the first step, the
  // run is written as stored meta-blocks, which need none.
  engine::Status Begin(const engine::EncoderParameters& parameters,
                       std::uint64_t offset,
                       std::span<const std::uint8_t> context) noexcept override;
  engine::Status Compress(engine::Operation operation,
                          engine::EncoderBuffers& buffers,
                          bool* done) noexcept override;
  void End(bool keep) noexcept override;

 private:
  // Called by the library. libbrotlienc, as it is built everywhere, ends the
  // process when an allocation returns nullptr, so a refusal never returns:
  // it jumps back to the last call into the library. Only C code without
  // resources of its own lies between, and all its memory is the arena's.
  static void* Allocate(void* encoder, std::size_t size) noexcept;
  static void Free(void* encoder, void* memory) noexcept;

  // These return false when memory was refused; the library's state is gone
  // then, with everything it held.
  bool Create() noexcept;
  bool Step(engine::Operation operation,
            engine::EncoderBuffers& buffers) noexcept;
  bool Configure(const engine::EncoderParameters& parameters,
                 std::uint64_t offset) noexcept;
  void Abandon() noexcept;

  std::jmp_buf memory_refused_;
  engine::Arena& arena_;
  BrotliEncoderStateStruct* state_ = nullptr;
  BrotliStoredRun stored_;
  bool untouched_ = true;  // no step of this run has succeeded yet
};

}  // namespace sidepress::codecs
