#include "brotli/brotli_encoder.h"

#include <brotli/encode.h>

#include <algorithm>

#include "brotli/brotli_codec.h"

namespace sidepress::codecs {
namespace {

BrotliEncoderOperation LibraryOperation(engine::Operation operation) {
  switch (operation) {
    case engine::Operation::kProcess:
      return BROTLI_OPERATION_PROCESS;
    case engine::Operation::kFlush:
    case engine::Operation::kEndRun:
      return BROTLI_OPERATION_FLUSH;
    case engine::Operation::kEndStream:
      break;
  }
  return BROTLI_OPERATION_FINISH;
}

// The library takes no larger hint and no larger offset.
constexpr std::uint64_t kLibraryMax = 1u << 30;

}  // namespace

void* BrotliEncoder::Allocate(void* encoder, std::size_t size) noexcept {
  auto* self = static_cast<BrotliEncoder*>(encoder);
  void* memory = self->arena_.Allocate(size);
  if (memory == nullptr) std::longjmp(self->memory_refused_, 1);
  return memory;
}

void BrotliEncoder::Free(void* encoder, void* memory) noexcept {
  static_cast<BrotliEncoder*>(encoder)->arena_.Free(memory);
}

void BrotliEncoder::Abandon() noexcept {
  state_ = nullptr;
  arena_.FreeAll();
}

engine::Status BrotliEncoder::Begin(const engine::EncoderParameters& parameters,
                                    std::uint64_t offset,
                                    std::span<const std::uint8_t>) noexcept {
  untouched_ = true;
  stored_.Begin(BrotliWindowLog(parameters), offset == 0);
  if (Create() && !Configure(parameters, offset)) {
    End(false);
    return engine::Status::kEncoderFailed;
  }
  return engine::Status::kOk;
}

bool BrotliEncoder::Create() noexcept {
  if (setjmp(memory_refused_) != 0) {
    Abandon();
    return false;
  }
  state_ = BrotliEncoderCreateInstance(Allocate, Free, this);
  return state_ != nullptr;
}

bool BrotliEncoder::Configure(const engine::EncoderParameters& parameters,
                              std::uint64_t offset) noexcept {
  const auto set = [this](BrotliEncoderParameter name, std::uint64_t value) {
    return BrotliEncoderSetParameter(state_, name,
                                     static_cast<std::uint32_t>(std::min(
                                         value, kLibraryMax))) == BROTLI_TRUE;
  };
  const bool font = parameters.kind == engine::ContentKind::kFont;
  return set(BROTLI_PARAM_QUALITY,
             static_cast<std::uint64_t>(parameters.level)) &&
         set(BROTLI_PARAM_LGWIN,
             static_cast<std::uint64_t>(BrotliWindowLog(parameters))) &&
         set(BROTLI_PARAM_MODE,
             font ? BROTLI_MODE_FONT : BROTLI_MODE_GENERIC) &&
         set(BROTLI_PARAM_SIZE_HINT, BrotliSizeHint(parameters)) &&
         (offset == 0 || set(BROTLI_PARAM_STREAM_OFFSET, offset));
}

engine::Status BrotliEncoder::Compress(engine::Operation operation,
                                       engine::EncoderBuffers& buffers,
                                       bool* done) noexcept {
  if (state_ != nullptr) {
    const engine::EncoderBuffers before = buffers;
    if (Step(operation, buffers)) {
      untouched_ = false;
      *done = buffers.input_size == 0 && !BrotliEncoderHasMoreOutput(state_);
      return engine::Status::kOk;
    }
    if (state_ != nullptr) return engine::Status::kEncoderFailed;
    // What the library has consumed in earlier steps is lost with it; before
    // any step, nothing is.
    if (!untouched_) return engine::Status::kOutOfMemory;
    buffers = before;
  }
  stored_.Compress(operation, buffers, done);
  return engine::Status::kOk;
}

bool BrotliEncoder::Step(engine::Operation operation,
                         engine::EncoderBuffers& buffers) noexcept {
  if (setjmp(memory_refused_) != 0) {
    Abandon();
    return false;
  }
  return BrotliEncoderCompressStream(state_, LibraryOperation(operation),
                                     &buffers.input_size, &buffers.input,
                                     &buffers.output_size, &buffers.output,
                                     nullptr) == BROTLI_TRUE;
}

void BrotliEncoder::End(bool) noexcept {
  if (state_ == nullptr) return;
  BrotliEncoderDestroyInstance(state_);
  state_ = nullptr;
}

}  // namespace sidepress::codecs
