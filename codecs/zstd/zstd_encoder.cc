#include "zstd/zstd_encoder.h"

#include <algorithm>
#include <climits>

#include "zstd/zstd_codec.h"
#include "zstd/zstd_dictionary.h"
#include "zstd/zstd_library.h"

namespace sidepress::codecs {
namespace {

ZSTD_EndDirective LibraryDirective(engine::Operation operation) {
  switch (operation) {
    case engine::Operation::kProcess:
      return ZSTD_e_continue;
    case engine::Operation::kFlush:
    case engine::Operation::kEndRun:
      return ZSTD_e_flush;
    case engine::Operation::kEndStream:
      break;
  }
  return ZSTD_e_end;
}

// What the library should think the frame's length is: without a hint it
// takes a later run for a small message with its context as the dictionary,
// and chooses small tables.
int SizeHint(const engine::EncoderParameters& parameters) {
  constexpr std::uint64_t kMost = INT_MAX;
  const std::uint64_t length = parameters.known_length;
  return static_cast<int>(length == 0 ? kMost : std::min(length, kMost));
}

int BlockTarget(const engine::EncoderParameters& parameters) {
  constexpr std::uint32_t kLeast = ZSTD_TARGETCBLOCKSIZE_MIN;
  constexpr std::uint32_t kMost = ZSTD_TARGETCBLOCKSIZE_MAX;
  return static_cast<int>(
      std::clamp(parameters.target_block_size, kLeast, kMost));
}

}  // namespace

void* ZstdEncoder::Allocate(void* encoder, std::size_t size) noexcept {
  return static_cast<ZstdEncoder*>(encoder)->arena_.Allocate(size);
}

void ZstdEncoder::Free(void* encoder, void* memory) noexcept {
  static_cast<ZstdEncoder*>(encoder)->arena_.Free(memory);
}

void ZstdEncoder::Release() noexcept {
  joined_run_.End(arena_);
  ZSTD_freeCCtx(library_);
  library_ = nullptr;
}

engine::Status ZstdEncoder::Begin(
    const engine::EncoderParameters& parameters, std::uint64_t offset,
    std::span<const std::uint8_t> context) noexcept {
  const std::uint64_t length = parameters.known_length;
  length_left_ = length == 0 ? kUnknown : length - std::min(offset, length);
  header_size_ = header_written_ = 0;
  kind_ = offset == 0 ? Kind::kFirst : Kind::kJoined;
  if (offset > 0 && !kZstdIsStatic) return engine::Status::kEncoderFailed;
  const int error = Start(parameters, offset, context);
  if (error == ZSTD_error_no_error) return engine::Status::kOk;
  Release();
  if (error != ZSTD_error_memory_allocation) {
    return engine::Status::kEncoderFailed;
  }
  kind_ = Kind::kRaw;
  raw_run_.Begin(ZstdWindowLog(parameters), length, offset == 0);
  return engine::Status::kOk;
}

int ZstdEncoder::Start(const engine::EncoderParameters& parameters,
                       std::uint64_t offset,
                       std::span<const std::uint8_t> context) noexcept {
  if (library_ == nullptr) {
    library_ = ZSTD_createCCtx_advanced({Allocate, Free, this});
  }
  if (library_ == nullptr) return ZSTD_error_memory_allocation;
  const bool first_run = offset == 0;
  const int error = Configure(parameters, first_run);
  if (error != ZSTD_error_no_error) return error;
  if (first_run) return TakeFrameHeader();
  return joined_run_.Begin(arena_, library_, ZstdWindowLog(parameters),
                           length_left_, context);
}

int ZstdEncoder::Configure(const engine::EncoderParameters& parameters,
                           bool first_run) noexcept {
  int error = ZSTD_error_no_error;
  const auto check = [&error](std::size_t result) {
    if (error == ZSTD_error_no_error) error = ZSTD_getErrorCode(result);
  };
  const auto set = [&](ZSTD_cParameter name, int value) {
    check(ZSTD_CCtx_setParameter(library_, name, value));
  };
  set(ZSTD_c_compressionLevel, parameters.level);
  set(ZSTD_c_windowLog, ZstdWindowLog(parameters));
  if (parameters.long_distance) set(ZSTD_c_enableLongDistanceMatching, 1);
  if (parameters.target_block_size > 0 && ZstdHasTargetBlockSize()) {
    set(ZSTD_c_targetCBlockSize, BlockTarget(parameters));
  }
  if (!first_run) {
    set(ZSTD_c_srcSizeHint, SizeHint(parameters));
    // Else all of the context could be matched, however far behind; but it is
    // no dictionary for the decoder, which has forgotten what the window left.
    set(ZSTD_c_forceMaxWindow, 1);
    return error;
  }
  if (parameters.known_length > 0) {
    check(ZSTD_CCtx_setPledgedSrcSize(library_, parameters.known_length));
  }
  if (parameters.dictionary != nullptr) {
    const auto* dictionary =
        static_cast<const ZstdDictionary*>(parameters.dictionary);
    check(ZSTD_CCtx_refCDict(library_, dictionary->digested()));
  }
  return error;
}

// A step with nothing makes the library allocate, but writes nothing; then a
// block of nothing is the header alone.
int ZstdEncoder::TakeFrameHeader() noexcept {
  ZSTD_inBuffer nothing = {nullptr, 0, 0};
  ZSTD_outBuffer no_room = {nullptr, 0, 0};
  const std::size_t begun =
      ZSTD_compressStream2(library_, &no_room, &nothing, ZSTD_e_continue);
  if (ZSTD_isError(begun)) return ZSTD_getErrorCode(begun);
  static_assert(sizeof(header_) >= ZSTD_FRAMEHEADERSIZE_MAX);
  const std::size_t size = ZSTD_compressContinue(library_, header_.data(),
                                                 header_.size(), nullptr, 0);
  if (ZSTD_isError(size)) return ZSTD_getErrorCode(size);
  header_size_ = size;
  return ZSTD_error_no_error;
}

void ZstdEncoder::WriteFrameHeader(engine::EncoderBuffers& buffers) noexcept {
  const std::size_t size =
      std::min(header_size_ - header_written_, buffers.output_size);
  std::copy_n(header_.data() + header_written_, size, buffers.output);
  buffers.output += size;
  buffers.output_size -= size;
  header_written_ += size;
}

engine::Status ZstdEncoder::Compress(engine::Operation operation,
                                     engine::EncoderBuffers& buffers,
                                     bool* done) noexcept {
  *done = false;
  if (length_left_ != kUnknown) {
    const bool last = operation == engine::Operation::kEndStream;
    if (buffers.input_size > length_left_ ||
        (last && buffers.input_size < length_left_)) {
      return engine::Status::kEncoderFailed;
    }
  }
  const std::size_t before = buffers.input_size;
  bool well = true;
  if (kind_ == Kind::kRaw) {
    raw_run_.Compress(operation, buffers, done);
  } else if (kind_ == Kind::kJoined) {
    well = joined_run_.Compress(operation, buffers, done);
  } else {
    well = Step(operation, buffers, done);
  }
  if (!well) return engine::Status::kEncoderFailed;
  if (length_left_ != kUnknown) length_left_ -= before - buffers.input_size;
  return engine::Status::kOk;
}

bool ZstdEncoder::Step(engine::Operation operation,
                       engine::EncoderBuffers& buffers, bool* done) noexcept {
  WriteFrameHeader(buffers);
  if (header_written_ < header_size_) return true;
  ZSTD_inBuffer input = {buffers.input, buffers.input_size, 0};
  ZSTD_outBuffer output = {buffers.output, buffers.output_size, 0};
  const std::size_t left = ZSTD_compressStream2(library_, &output, &input,
                                                LibraryDirective(operation));
  if (ZSTD_isError(left)) return false;
  buffers.input += input.pos;
  buffers.input_size -= input.pos;
  buffers.output += output.pos;
  buffers.output_size -= output.pos;
  // Of a step that may hold back input, the library does not tell whether
  // output is left; it is not while there is room.
  *done = buffers.input_size == 0 &&
          (operation == engine::Operation::kProcess ? buffers.output_size > 0
                                                    : left == 0);
  return true;
}

void ZstdEncoder::End(bool keep) noexcept {
  if (library_ == nullptr) return;
  if (keep) {
    joined_run_.End(arena_);
    ZSTD_CCtx_reset(library_, ZSTD_reset_session_and_parameters);
  } else {
    Release();
  }
}

}  // namespace sidepress::codecs
