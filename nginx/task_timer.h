// Keeps a worker that is quitting alive while tasks are under way: it leaves as
// soon as no timer is left, whatever its connections wait for. One for each
// worker. Thread: loop.
#pragma once

#include "nginx/ngx.h"

namespace sidepress {

class TaskTimer {
 public:
  explicit TaskTimer(ngx_log_t* log) noexcept;
  TaskTimer(const TaskTimer&) = delete;
  TaskTimer& operator=(const TaskTimer&) = delete;

  // A task was posted, and one has run; each pair encloses a task.
  void Begin() noexcept;
  void End() noexcept;

 private:
  static void OnExpired(ngx_event_t* event) noexcept;

  ngx_event_t event_{};
  ngx_connection_t nobody_{};  // NGINX's debug log asks for a connection
  unsigned under_way_ = 0;
};

}  // namespace sidepress
