// Where tasks run: a thread pool, or the event loop itself. The host
// implements it; the engine creates no thread and reads no clock.
#pragma once

#include "compression_engine/slice_task.h"

namespace sidepress::engine {

// Thread: loop.
class Executor {
 public:
  // Arranges that `task->Run()` is called once, and after it, on the loop
  // and never from within Post, Scheduler::Complete(task).
  // Returns: false when the task is refused; it is untouched then.
  virtual bool Post(SliceTask* task) noexcept = 0;

  // Tasks that can run at the same time; at least 1, may change.
  virtual unsigned Capacity() const noexcept = 0;

 protected:
  ~Executor() = default;
};

}  // namespace sidepress::engine
