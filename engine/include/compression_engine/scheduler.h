// Decides what runs next on one executor. Thread: loop.
//
// Lanes that have work wait here, not in the executor's own queue, so that
// the choice is made when a thread is free and not when a response arrived:
// a short response that comes late still goes first, and what is aborted
// while it waits never runs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "compression_engine/executor.h"

namespace sidepress::engine {

class Lane;

// Most urgent first: what can be sent soonest.
enum class Urgency : unsigned char {
  kShort,   // a response, or what is left of it, that fits into one slice
  kActive,  // a head lane that holds an encoder
  kNew,     // a head lane that would need another encoder
  kHelper,  // output that cannot be sent yet
};
inline constexpr std::size_t kUrgencyCount = 4;

class Scheduler {
 public:
  // `executor` runs tasks; what it refuses goes to `fallback`, which must
  // accept everything. Both may be the same and must outlive the scheduler.
  Scheduler(Executor& executor, Executor& fallback) noexcept
      : executor_(executor), fallback_(fallback) {}
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // Queues a lane, then starts what there is room for.
  // REQUIRES: the lane is neither queued nor running.
  void Enqueue(Lane* lane, Urgency urgency) noexcept;

  // Takes a queued lane out again.
  void Withdraw(Lane* lane) noexcept;

  // The host's report that `task` has run. Calls the stream's observer.
  void Complete(SliceTask* task) noexcept;

  // Threads that have nothing to do now and nothing waiting for them.
  unsigned IdleThreads() const noexcept;

  unsigned running() const noexcept { return running_; }
  unsigned queued() const noexcept { return queued_; }
  // Tasks that the executor refused so far.
  std::uint64_t refused() const noexcept { return refused_; }

 private:
  struct Queue {
    Lane* first = nullptr;
    Lane* last = nullptr;
  };

  Lane* PickNext() noexcept;
  void Remove(Lane* lane) noexcept;
  void StartQueued() noexcept;
  void Start(Lane* lane) noexcept;

  Executor& executor_;
  Executor& fallback_;
  std::array<Queue, kUrgencyCount> queues_;
  unsigned running_ = 0;
  unsigned queued_ = 0;
  unsigned picks_ = 0;
  bool starting_ = false;
  std::uint64_t refused_ = 0;
};

}  // namespace sidepress::engine
