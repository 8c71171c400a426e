// How a stream is cut into lanes: when helpers open, where, and with what
// context.
#include <algorithm>
#include <new>

#include "compression_engine/compressed_stream.h"

namespace sidepress::engine {
namespace {

// A helper costs size, more so without context, so it must save time.
constexpr std::uint64_t LeastSavedNs(std::size_t context_size) {
  return context_size > 0 ? 10'000'000 : 20'000'000;
}

// Segments that one lane works on at most before it is the head.
constexpr std::uint64_t kSegmentsPerShare = 4;

}  // namespace

// One where a second lane could never save enough.
unsigned CompressedStream::MostLanes(const Codec& codec,
                                     const StreamOptions& options) noexcept {
  const std::uint64_t known = options.parameters.known_length;
  const Cost cost = codec.EstimateCost(options.parameters);
  const std::uint64_t saved = known * cost.ns_per_byte / 2;
  const bool short_work =
      known > 0 && saved < LeastSavedNs(codec.ContextSize(options.parameters));
  return codec.JoinsRuns() && !short_work ? options.parallel_tasks : 1;
}

// Threads that would be left if every lane of this stream had work.
unsigned CompressedStream::SpareThreads() const noexcept {
  unsigned unscheduled = 0;
  for (const Lane* lane = head_; lane != nullptr; lane = lane->next) {
    if (!lane->closed && !lane->running && !lane->queued) ++unscheduled;
  }
  const unsigned idle = environment_.scheduler.IdleThreads();
  return idle > unscheduled ? idle - unscheduled : 0;
}

// Helpers that there are threads and lanes for.
unsigned CompressedStream::Helpers() const noexcept {
  if (open_lanes_ == 0 || open_lanes_ >= most_lanes_) return 0;
  return std::min(SpareThreads(), most_lanes_ - open_lanes_);
}

// How far the last lane will have come when its task is done.
std::uint64_t CompressedStream::Reached() const noexcept {
  return tail_->running ? tail_->step_end : tail_->position;
}

// Bytes that a lane may be given, which bounds what is read ahead for it and
// what it holds until it is the head.
std::uint64_t CompressedStream::LargestShare() const noexcept {
  const bool known = options_.parameters.known_length > 0;
  return (known ? kSegmentsPerShare : 1) * options_.segment_size;
}

// Where the next run should start: at the multiple of the segment size that
// lets the last lane and all helpers end at about the same time. A helper
// loses time with its context, so the last lane gets as much more.
std::uint64_t CompressedStream::NextBoundary() const noexcept {
  const std::uint64_t segment = options_.segment_size;
  const std::uint64_t reached = Reached();
  const std::uint64_t known = options_.parameters.known_length;
  const std::uint64_t next = (reached / segment + 1) * segment;
  if (known <= next) return next;
  const std::uint64_t left = known - reached;
  const std::uint64_t helpers = std::max(1u, Helpers());
  const std::uint64_t handicap =
      std::min(left, context_size_ * cost_.ns_per_context_byte /
                         std::max(1u, cost_.ns_per_byte));
  const std::uint64_t largest = LargestShare();
  const std::uint64_t share =
      std::min(largest, (left - handicap) / (helpers + 1));
  const std::uint64_t own = std::min(largest, left - helpers * share);
  return std::max(next, (reached + own + segment / 2) / segment * segment);
}

// Whether a lane from `boundary` on lets the response end noticeably sooner.
// The lanes before it take a while to reach it, and it has a while of work; the
// lesser of both is saved, less the time that its context costs.
bool CompressedStream::SavesEnough(std::uint64_t boundary,
                                   std::uint64_t end) const noexcept {
  if (end <= boundary) return false;
  const std::uint64_t behind = std::min(end - boundary, LargestShare());
  const std::uint64_t context =
      std::min<std::uint64_t>(boundary, context_size_);
  const std::uint64_t lost = context * cost_.ns_per_context_byte;
  const std::uint64_t before = (boundary - Reached()) * cost_.ns_per_byte;
  if (before <= lost) return false;
  return std::min(before - lost, behind * cost_.ns_per_byte) >=
         LeastSavedNs(context_size_);
}

bool CompressedStream::MayOpenHelper() const noexcept {
  if (Helpers() == 0) return false;
  const std::uint64_t boundary = NextBoundary();
  const std::uint64_t known = options_.parameters.known_length;
  return SavesEnough(boundary,
                     known > 0 ? known : boundary + options_.segment_size);
}

bool CompressedStream::WorthHelping(std::uint64_t boundary) const noexcept {
  if (input_.end() < boundary + options_.slice_size) return false;
  return SavesEnough(boundary,
                     std::max(input_.end(), options_.parameters.known_length));
}

// Not before the first output is there: a helper shares caches, memory and
// often a core with the head lane, and the client would see its first byte
// later. Its input is read ahead before that.
void CompressedStream::OpenHelpers() noexcept {
  while (bytes_out_ > 0 && MayOpenHelper()) {
    const std::uint64_t boundary = NextBoundary();
    if (tail_->closed || tail_->operation_pending || !WorthHelping(boundary)) {
      return;
    }
    Lane* last = tail_;
    if (AddLane(boundary) == nullptr) return;  // one lane is enough
    last->end = boundary;
    StepLane(*tail_);
  }
}

// From where on input is needed after it was compressed. Under load no helper
// will open, and nothing is kept.
std::uint64_t CompressedStream::ContextStart() const noexcept {
  const bool parallel = runs_ > 1 || (most_lanes_ > 1 && SpareThreads() > 0);
  if (!parallel || open_lanes_ == 0) return InputQueue::kNoMark;
  const std::uint64_t boundary = NextBoundary();
  const std::uint64_t known = options_.parameters.known_length;
  if (known != 0 && known <= boundary) return InputQueue::kNoMark;
  return boundary - std::min<std::uint64_t>(boundary, context_size_);
}

// Returns: false when the bytes are gone already, or memory is refused.
bool CompressedStream::AddContext(Lane& lane) noexcept {
  const std::size_t size = static_cast<std::size_t>(
      std::min<std::uint64_t>(lane.start, context_size_));
  if (size == 0) return true;
  void* storage = environment_.memory.Allocate(size);
  if (storage == nullptr) return false;
  lane.context = {static_cast<std::uint8_t*>(storage), size};
  return input_.CopyBefore(lane.start, lane.context);
}

void CompressedStream::FreeContext(Lane& lane) noexcept {
  if (lane.context.empty()) return;
  environment_.memory.Free(lane.context.data(), lane.context.size());
  lane.context = {};
}

Lane* CompressedStream::AddLane(std::uint64_t start) noexcept {
  void* storage = environment_.memory.Allocate(sizeof(Lane));
  if (storage == nullptr) return nullptr;
  Lane* lane = new (storage) Lane(*this, start);
  if (!AddContext(*lane)) {
    FreeContext(*lane);
    lane->~Lane();
    environment_.memory.Free(lane, sizeof(Lane));
    return nullptr;
  }
  if (tail_ != nullptr) {
    tail_->next = lane;
  } else {
    head_ = lane;
  }
  tail_ = lane;
  ++runs_;
  ++open_lanes_;
  return lane;
}

void CompressedStream::RetireHead() noexcept {
  Lane* lane = head_;
  head_ = lane->next;
  if (head_ == nullptr) tail_ = nullptr;
  MemorySource& memory = environment_.memory;
  if (lane->slot != nullptr) {
    lane->slot->Retire(options_.retention);
    environment_.encoders.Release(lane->slot);
  }
  FreeContext(*lane);
  lane->output.Clear(memory);
  lane->task.empty.Clear(memory);
  lane->task.written.Clear(memory);
  lane->~Lane();
  memory.Free(lane, sizeof(Lane));
}

}  // namespace sidepress::engine
