// Runs tasks on the event loop, one in each turn, so that other events are
// served in between. Thread: loop.
#pragma once

#include "compression_engine/executor.h"
#include "compression_engine/scheduler.h"
#include "nginx/ngx.h"
#include "nginx/task_timer.h"

namespace sidepress {

class LoopExecutor final : public engine::Executor {
 public:
  LoopExecutor(TaskTimer& timer, ngx_log_t* log) noexcept;
  LoopExecutor(const LoopExecutor&) = delete;
  LoopExecutor& operator=(const LoopExecutor&) = delete;

  // Never refuses.
  bool Post(engine::SliceTask* task) noexcept override;
  unsigned Capacity() const noexcept override { return 1; }

 private:
  static void OnTurn(ngx_event_t* event) noexcept;

  TaskTimer& timer_;
  ngx_event_t event_{};
  engine::SliceTask* first_ = nullptr;
  engine::SliceTask** last_ = &first_;
};

}  // namespace sidepress
