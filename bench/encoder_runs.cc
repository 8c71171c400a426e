#include "bench/encoder_runs.h"

#include <brotli/encode.h>
#include <malloc.h>

#define ZSTD_STATIC_LINKING_ONLY  // for ZSTD_customMem
#include <zstd.h>

#include <algorithm>
#include <cstdlib>

namespace sidepress::bench {
namespace {

constexpr int kBrotliWindowLog = 19;  // the default of both modules
constexpr std::size_t kBlockSize = 4096;
constexpr std::size_t kPlainStep = 32 * 1024;

// What malloc holds, as seen by the library's allocation functions. The sizes
// are asked from malloc, so that nothing is added to what is measured.
struct MallocPeak {
  std::size_t held = 0;
  std::size_t peak = 0;
};

void* CountedMalloc(void* opaque, std::size_t size) {
  auto* count = static_cast<MallocPeak*>(opaque);
  void* memory = std::malloc(size);
  count->held += malloc_usable_size(memory);
  count->peak = std::max(count->peak, count->held);
  return memory;
}

void CountedFree(void* opaque, void* memory) {
  static_cast<MallocPeak*>(opaque)->held -= malloc_usable_size(memory);
  std::free(memory);
}

// google/ngx_brotli shrinks the window like this.
std::uint32_t PlainWindowLog(std::size_t size) {
  std::uint32_t log = BROTLI_MIN_WINDOW_BITS;
  while (log < kBrotliWindowLog && size > (std::size_t{1} << log) - 16) ++log;
  return log;
}

}  // namespace

void* PeakMemory::Allocate(std::size_t size) noexcept {
  void* memory = std::malloc(size);
  if (memory == nullptr) return nullptr;
  held_ += size;
  peak_ = std::max(peak_, held_);
  return memory;
}

void PeakMemory::Free(void* memory, std::size_t size) noexcept {
  std::free(memory);
  held_ -= size;
}

RecycledRun::RecycledRun(const engine::Codec& codec, int level, int window_log,
                         std::size_t slice_size)
    : codec_(codec),
      level_(level),
      window_log_(window_log),
      slice_size_(slice_size),
      storage_(codec_.EncoderSize() / sizeof(std::max_align_t) + 1),
      block_(kBlockSize) {
  Reset();
}

void RecycledRun::Reset() {
  if (encoder_ != nullptr) encoder_->End(false);
  arena_.reset();
  memory_ = std::make_unique<PeakMemory>();
  arena_ = std::make_unique<engine::Arena>(*memory_);
  encoder_ = codec_.Construct(storage_.data(), *arena_);
}

std::size_t RecycledRun::Compress(Bytes input) {
  engine::EncoderParameters parameters;
  parameters.level = level_;
  parameters.window_log = window_log_;
  parameters.known_length = input.size();
  if (encoder_->Begin(parameters, 0, {}) != engine::Status::kOk) return 0;
  std::size_t written = 0;
  bool well = true;
  while (well && input.size() > slice_size_) {
    well =
        Step(engine::Operation::kProcess, input.first(slice_size_), &written);
    input = input.subspan(slice_size_);
  }
  well = well && Step(engine::Operation::kEndStream, input, &written);
  encoder_->End(true);
  arena_->Trim({});
  return well ? written : 0;
}

bool RecycledRun::Step(engine::Operation operation, Bytes input,
                       std::size_t* written) {
  engine::EncoderBuffers buffers;
  buffers.input = input.data();
  buffers.input_size = input.size();
  for (bool done = false; !done;) {
    buffers.output = block_.data();
    buffers.output_size = block_.size();
    if (encoder_->Compress(operation, buffers, &done) != engine::Status::kOk) {
      return false;
    }
    *written += block_.size() - buffers.output_size;
  }
  return true;
}

std::size_t PlainBrotliRun::Compress(Bytes input) {
  MallocPeak count;
  BrotliEncoderState* state =
      BrotliEncoderCreateInstance(CountedMalloc, CountedFree, &count);
  BrotliEncoderSetParameter(state, BROTLI_PARAM_QUALITY,
                            static_cast<std::uint32_t>(level_));
  BrotliEncoderSetParameter(state, BROTLI_PARAM_LGWIN,
                            PlainWindowLog(input.size()));
  std::size_t written = 0;
  bool well = true;
  while (well && !BrotliEncoderIsFinished(state)) {
    const std::size_t step = std::min(input.size(), kPlainStep);
    const bool last = step == input.size();
    std::size_t left = step;
    const std::uint8_t* next = input.data();
    input = input.subspan(step);
    do {
      std::size_t no_room = 0;
      well =
          BrotliEncoderCompressStream(
              state, last ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_PROCESS,
              &left, &next, &no_room, nullptr, nullptr) == BROTLI_TRUE;
      std::size_t taken = 0;  // all that there is
      while (BrotliEncoderHasMoreOutput(state)) {
        BrotliEncoderTakeOutput(state, &taken);
        written += taken;
        taken = 0;
      }
    } while (well && (left > 0 || (last && !BrotliEncoderIsFinished(state))));
  }
  BrotliEncoderDestroyInstance(state);
  peak_ = std::max(peak_, count.peak);
  return well ? written : 0;
}

std::size_t PlainZstdRun::Compress(Bytes input) {
  MallocPeak count;
  ZSTD_CCtx* state =
      ZSTD_createCCtx_advanced({CountedMalloc, CountedFree, &count});
  ZSTD_CCtx_setParameter(state, ZSTD_c_compressionLevel, level_);
  std::vector<char> block(ZSTD_CStreamOutSize());
  std::size_t written = 0;
  std::size_t left = 1;
  while (left != 0 && !ZSTD_isError(left)) {
    const std::size_t step = std::min(input.size(), kPlainStep);
    const bool last = step == input.size();
    ZSTD_inBuffer in = {input.data(), step, 0};
    input = input.subspan(step);
    do {
      ZSTD_outBuffer out = {block.data(), block.size(), 0};
      left = ZSTD_compressStream2(state, &out, &in,
                                  last ? ZSTD_e_end : ZSTD_e_flush);
      written += out.pos;
    } while (left != 0 && !ZSTD_isError(left));
    if (!last && left == 0) left = 1;
  }
  ZSTD_freeCCtx(state);
  peak_ = std::max(peak_, count.peak);
  return ZSTD_isError(left) ? 0 : written;
}

}  // namespace sidepress::bench
