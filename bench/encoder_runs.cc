#include "bench/encoder_runs.h"

#include <brotli/encode.h>
#include <malloc.h>

#include <algorithm>
#include <cstdlib>

namespace sidepress::bench {
namespace {

constexpr int kWindowLog = 19;  // the default of both modules
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
  while (log < kWindowLog && size > (std::size_t{1} << log) - 16) ++log;
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

RecycledRun::RecycledRun(int level, std::size_t slice_size)
    : level_(level),
      slice_size_(slice_size),
      storage_(codec_.EncoderSize() / sizeof(std::max_align_t) + 1),
      block_(kBlockSize) {
  Reset();
}

void RecycledRun::Reset() {
  arena_.reset();
  memory_ = std::make_unique<PeakMemory>();
  arena_ = std::make_unique<engine::Arena>(*memory_);
  encoder_ = codec_.Construct(storage_.data(), *arena_);
}

std::size_t RecycledRun::Compress(Bytes input) {
  engine::EncoderParameters parameters;
  parameters.level = level_;
  parameters.window_log = kWindowLog;
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
  encoder_->End(false);
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

std::size_t PlainRun::Compress(Bytes input) {
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

}  // namespace sidepress::bench
