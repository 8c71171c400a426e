#include "nginx/task_timer.h"

namespace sidepress {
namespace {

// As long as NGINX's own timers of tasks; renewed while there are any.
constexpr ngx_msec_t kTimerMs = 60'000;

}  // namespace

TaskTimer::TaskTimer(ngx_log_t* log) noexcept {
  nobody_.data = this;
  nobody_.fd = static_cast<ngx_socket_t>(-1);
  event_.data = &nobody_;
  event_.handler = OnExpired;
  event_.log = log;
}

void TaskTimer::Begin() noexcept {
  if (under_way_++ == 0) ngx_add_timer(&event_, kTimerMs);
}

void TaskTimer::End() noexcept {
  if (--under_way_ == 0) ngx_del_timer(&event_);
}

void TaskTimer::OnExpired(ngx_event_t* event) noexcept {
  auto* self = static_cast<TaskTimer*>(
      static_cast<ngx_connection_t*>(event->data)->data);
  if (self->under_way_ > 0) ngx_add_timer(event, kTimerMs);
}

}  // namespace sidepress
