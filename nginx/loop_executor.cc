#include "nginx/loop_executor.h"

namespace sidepress {

LoopExecutor::LoopExecutor(TaskTimer& timer, ngx_log_t* log) noexcept
    : timer_(timer) {
  event_.data = this;
  event_.handler = OnTurn;
  event_.log = log;
}

bool LoopExecutor::Post(engine::SliceTask* task) noexcept {
  timer_.Begin();
  task->next_posted = nullptr;
  *last_ = task;
  last_ = &task->next_posted;
  ngx_post_event(&event_, &ngx_posted_next_events);
  return true;
}

void LoopExecutor::OnTurn(ngx_event_t* event) noexcept {
  auto* self = static_cast<LoopExecutor*>(event->data);
  engine::SliceTask* task = self->first_;
  if (task == nullptr) return;
  self->first_ = task->next_posted;
  if (self->first_ == nullptr) {
    self->last_ = &self->first_;
  } else {
    ngx_post_event(event, &ngx_posted_next_events);
  }
  task->Run();
  self->timer_.End();
  task->scheduler->Complete(task);
}

}  // namespace sidepress
