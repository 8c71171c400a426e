// One response being compressed: input in, one Brotli stream or zstd frame
// out, in order, whatever runs where in between.
//
// The response is cut into runs (docs/architecture.md, "Runs and lanes").
// Normally there is one run. While threads are idle, further lanes are opened
// at multiples of the segment size, ahead of the head lane; their output
// waits until everything before it was handed out.
//
// Thread: loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "compression_engine/encoder_cache.h"
#include "compression_engine/input_queue.h"
#include "compression_engine/lane.h"
#include "compression_engine/memory_source.h"
#include "compression_engine/output_queue.h"
#include "compression_engine/scheduler.h"

namespace sidepress::engine {

struct StreamOptions {
  EncoderParameters parameters;
  RetentionPolicy retention;
  bool reuse_encoders = true;
  std::size_t slice_size = 64 * 1024;  // bytes of input
  // Bytes of input of a slice that the executor refused. An encoder whose
  // output depends on the pieces that it is given writes another one then.
  std::size_t fallback_slice_size = 64 * 1024;
  std::size_t output_block_size = 4 * 1024;  // bytes
  std::size_t output_block_limit = 32;       // blocks that wait for the client
  std::uint64_t segment_size = 1024 * 1024;  // bytes
  unsigned parallel_tasks = 1;               // lanes open at one time
  // Cheaper work is done without a hand-over, which costs 10 to 40 us of CPU
  // and a wake-up; far below what the loop may be held for.
  std::uint64_t inline_limit_ns = 100'000;
};

class StreamObserver {
 public:
  // There may be output to take, room for input, or a failure. Never called
  // from within a call that the host makes on the same stream; the host may
  // call anything, Release included.
  virtual void OnProgress() noexcept = 0;

 protected:
  ~StreamObserver() = default;
};

class CompressedStream {
 public:
  // What a stream works with; all of it must outlive the stream, except that
  // `observer` is not used after Release.
  struct Environment {
    EncoderCache& encoders;
    Scheduler& scheduler;
    MemorySource& memory;
    StreamObserver& observer;
  };

  // Returns: nullptr when memory is refused. The caller must Release it.
  static CompressedStream* Create(const Environment& environment,
                                  const StreamOptions& options) noexcept;

  // Ends the host's interest, complete or not. Queued work is dropped; tasks
  // that run finish into memory that the stream keeps until then. Blocks
  // that were taken and not returned are freed.
  void Release() noexcept;

  // Returns: how many of `bytes` were taken. Less than all: offer the rest
  // after the next progress.
  std::size_t Feed(std::span<const std::uint8_t> bytes) noexcept;

  // Whether FeedFrom may be used: every response will be one run.
  bool takes_sources() const noexcept { return most_lanes_ == 1; }

  // As Feed, for the next `size` bytes of `source`. They are read by the task
  // that compresses them. REQUIRES: takes_sources().
  std::size_t FeedFrom(const InputSource& source, std::uint64_t size) noexcept;

  // Everything fed so far is to become decodable.
  // Returns: false when it must be asked for again after the next progress.
  bool Flush() noexcept;

  // There is no more input. Feed and Flush must not be called any more.
  void Finish() noexcept;

  // Returns: the next piece of output, nullptr when there is none now. It
  // stays valid until ReturnOutput or Release.
  OutputBlock* TakeOutput() noexcept;

  // REQUIRES: `block` was taken from this stream. Makes room for output.
  void ReturnOutput(OutputBlock* block) noexcept;

  // Whether a flush has taken effect since the last call: what was taken
  // before this call must reach the client now.
  bool TakeFlush() noexcept;

  // Whether no more output can come until blocks are returned: what was taken
  // must not be held back in the hope of more.
  bool output_full() const noexcept {
    return taken_.count() >= options_.output_block_limit;
  }

  // Nothing can be added to what was handed out; the response is lost.
  bool failed() const noexcept { return status_ != Status::kOk; }
  Status status() const noexcept { return status_; }

  // The end mark was written.
  bool closed() const noexcept;

  // The end mark was written and all output was taken.
  bool ended() const noexcept;

  // Whether input or output is held that the client has not been given.
  bool buffered() const noexcept;

  std::uint64_t bytes_in() const noexcept { return input_.end(); }
  std::uint64_t bytes_out() const noexcept { return bytes_out_; }
  // Runs that the response was cut into so far.
  unsigned runs() const noexcept { return runs_; }

 private:
  friend class Scheduler;

  struct Step {
    std::uint64_t size;
    Operation operation;
  };

  CompressedStream(const Environment& environment,
                   const StreamOptions& options) noexcept;
  ~CompressedStream() noexcept;

  // What the scheduler calls.
  //
  // Sets up `lane.task`; false when the lane has nothing to do any more, or
  // when memory was refused and the stream has failed.
  bool PrepareTask(Lane& lane) noexcept;
  // Makes a task that was set up short enough for the executor of last resort,
  // on which others wait for it.
  void ShortenTask(Lane& lane) noexcept;
  // Takes in what a task has done, and queues what can be done next.
  void Absorb(Lane& lane) noexcept;
  void Notify() noexcept;
  // A pinned stream outlives its Release. Each running task is a pin.
  void Pin() noexcept { ++pins_; }
  void Unpin() noexcept;

  template <typename Append>
  std::size_t Take(std::uint64_t size, Append append) noexcept;
  void Advance() noexcept;
  bool StepLane(Lane& lane) noexcept;
  bool PlanStep(const Lane& lane, Step* step) const noexcept;
  bool PlanNewStep(const Lane& lane, Step* step) const noexcept;
  void AbsorbTask(Lane& lane) noexcept;
  std::size_t OutputRoom(const Lane& lane) const noexcept;
  std::size_t BlocksFor(const Lane& lane, const Step& step) const noexcept;
  bool IsCheap(const Lane& lane, const Step& step) const noexcept;
  Urgency UrgencyOf(const Lane& lane) const noexcept;
  void CompleteOperation(Lane& lane) noexcept;

  // compressed_stream_lanes.cc
  static unsigned MostLanes(const Codec& codec,
                            const StreamOptions& options) noexcept;
  void OpenHelpers() noexcept;
  unsigned SpareThreads() const noexcept;
  bool MayOpenHelper() const noexcept;
  unsigned Helpers() const noexcept;
  bool SavesEnough(std::uint64_t boundary, std::uint64_t end) const noexcept;
  bool WorthHelping(std::uint64_t boundary) const noexcept;
  std::uint64_t LargestShare() const noexcept;
  std::uint64_t Reached() const noexcept;
  std::size_t InputLimit() const noexcept;
  std::uint64_t NextBoundary() const noexcept;
  std::uint64_t ContextStart() const noexcept;
  bool AddContext(Lane& lane) noexcept;
  void FreeContext(Lane& lane) noexcept;
  Lane* AddLane(std::uint64_t start) noexcept;
  void RetireHead() noexcept;
  void Fail(Status status) noexcept;

  const Environment environment_;
  const StreamOptions options_;
  const Cost cost_;
  const unsigned most_lanes_;       // open at one time
  const std::size_t context_size_;  // bytes before a run
  InputQueue input_;
  Lane* head_ = nullptr;
  Lane* tail_ = nullptr;
  OutputQueue taken_;
  std::uint64_t bytes_out_ = 0;
  std::uint64_t last_flush_ = 0;  // where Flush was called last
  std::size_t turn_limit_ = 0;    // bytes of input until the next completion
  unsigned runs_ = 0;
  unsigned open_lanes_ = 0;
  unsigned pins_ = 0;
  Status status_ = Status::kOk;
  bool finishing_ = false;
  bool flush_output_ = false;
  bool advancing_ = false;
  bool released_ = false;
};

}  // namespace sidepress::engine
