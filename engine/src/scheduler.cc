#include "compression_engine/scheduler.h"

#include <cassert>

#include "compression_engine/compressed_stream.h"
#include "compression_engine/lane.h"

namespace sidepress::engine {
namespace {

constexpr std::size_t Index(Urgency urgency) {
  return static_cast<std::size_t>(urgency);
}

// Without these an endless supply of more urgent work would starve the rest:
// every so many picks, a long response goes before the short ones...
constexpr unsigned kPatience = 16;

// ...and, more seldom, one without an encoder before those that have one. Each
// such pick adds an encoder of several MiB until a response ends, so it must
// be rarer than the slices of one megabyte.
constexpr unsigned kPatienceForNew = 256;
static_assert(kPatienceForNew % kPatience == 0);

}  // namespace

void Scheduler::Enqueue(Lane* lane, Urgency urgency) noexcept {
  assert(!lane->queued && !lane->running);
  Queue& queue = queues_[Index(urgency)];
  lane->urgency = urgency;
  lane->queued = true;
  lane->next_queued = nullptr;
  lane->previous_queued = queue.last;
  if (queue.last != nullptr) {
    queue.last->next_queued = lane;
  } else {
    queue.first = lane;
  }
  queue.last = lane;
  ++queued_;
  StartQueued();
}

void Scheduler::Withdraw(Lane* lane) noexcept {
  if (lane->queued) Remove(lane);
}

void Scheduler::Remove(Lane* lane) noexcept {
  Queue& queue = queues_[Index(lane->urgency)];
  if (lane->previous_queued != nullptr) {
    lane->previous_queued->next_queued = lane->next_queued;
  } else {
    queue.first = lane->next_queued;
  }
  if (lane->next_queued != nullptr) {
    lane->next_queued->previous_queued = lane->previous_queued;
  } else {
    queue.last = lane->previous_queued;
  }
  lane->queued = false;
  --queued_;
}

Lane* Scheduler::PickNext() noexcept {
  using Order = std::array<Urgency, kUrgencyCount>;
  constexpr Order kNormal = {Urgency::kShort, Urgency::kActive, Urgency::kNew,
                             Urgency::kHelper};
  constexpr Order kLongFirst = {Urgency::kActive, Urgency::kNew,
                                Urgency::kShort, Urgency::kHelper};
  constexpr Order kNewFirst = {Urgency::kNew, Urgency::kActive, Urgency::kShort,
                               Urgency::kHelper};
  picks_ = (picks_ + 1) % kPatienceForNew;
  const Order& order = picks_ == 0               ? kNewFirst
                       : picks_ % kPatience == 0 ? kLongFirst
                                                 : kNormal;
  for (Urgency urgency : order) {
    if (Lane* lane = queues_[Index(urgency)].first) return lane;
  }
  return nullptr;
}

void Scheduler::StartQueued() noexcept {
  if (starting_) return;
  starting_ = true;
  while (queued_ > 0 && running_ < executor_.Capacity()) {
    Lane* lane = PickNext();
    Remove(lane);
    Start(lane);
  }
  starting_ = false;
}

void Scheduler::Start(Lane* lane) noexcept {
  CompressedStream& stream = lane->stream;
  stream.Pin();
  if (!stream.PrepareTask(*lane)) {
    stream.Notify();
    stream.Unpin();
    return;
  }
  lane->running = true;
  lane->task.scheduler = this;
  ++running_;
  if (!executor_.Post(&lane->task)) {
    ++refused_;
    stream.ShortenTask(*lane);
    const bool accepted = fallback_.Post(&lane->task);
    assert(accepted);
    static_cast<void>(accepted);
  }
}

void Scheduler::Complete(SliceTask* task) noexcept {
  Lane* lane = task->lane;
  CompressedStream& stream = lane->stream;
  lane->running = false;
  --running_;
  // The stream queues its next slice first, so that it is considered with
  // the others; only then the free thread is given work.
  const bool outermost = !starting_;
  starting_ = true;
  stream.Absorb(*lane);
  if (outermost) {
    starting_ = false;
    StartQueued();
  }
  stream.Notify();
  stream.Unpin();
}

unsigned Scheduler::IdleThreads() const noexcept {
  const unsigned capacity = executor_.Capacity();
  const unsigned busy = running_ + queued_;
  return busy < capacity ? capacity - busy : 0;
}

}  // namespace sidepress::engine
