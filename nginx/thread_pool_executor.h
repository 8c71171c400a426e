// Runs tasks on one of NGINX's thread pools.
//
// A task and what it touches belong to the engine and outlive the request, so
// a request is never blocked by a task: when it ends early, its stream is
// released and the task ends into the stream's memory
// (docs/decisions/0001-requests-are-not-blocked.md).
//
// Thread: loop, but for what is marked.
#pragma once

#include <atomic>

#include "compression_engine/executor.h"
#include "compression_engine/scheduler.h"
#include "nginx/configuration.h"
#include "nginx/ngx.h"
#include "nginx/task_timer.h"

#if (NGX_THREADS)

namespace sidepress {

class ThreadPoolExecutor final : public engine::Executor {
 public:
  // `priority` is given to the pool's threads.
  ThreadPoolExecutor(ngx_thread_pool_t* pool, ThreadPriority priority,
                     TaskTimer& timer, ngx_log_t* log) noexcept;
  ThreadPoolExecutor(const ThreadPoolExecutor&) = delete;
  ThreadPoolExecutor& operator=(const ThreadPoolExecutor&) = delete;

  // Finds out how many threads there are, which NGINX does not tell: tasks
  // that wait are posted one by one, until one of them does not start or there
  // are as many as processors. At most one of them is ever queued, so the
  // shortest queue can take it.
  void CountThreads() noexcept;

  bool Post(engine::SliceTask* task) noexcept override;
  unsigned Capacity() const noexcept override { return capacity_; }

  static constexpr unsigned kMostThreads = 64;

 private:
  // The hand-over of one task. owner: the pool from post to completion.
  struct Job {
    ngx_thread_task_t handover;
    ThreadPoolExecutor* executor;
    engine::SliceTask* task;
    Job* next_free;
  };

  static void RunTask(void* context, ngx_log_t* log) noexcept;       // pool
  static void WaitForCount(void* context, ngx_log_t* log) noexcept;  // pool
  static void OnTaskDone(ngx_event_t* event) noexcept;
  static void OnThreadMet(ngx_event_t* event) noexcept;
  static void OnCountTurn(ngx_event_t* event) noexcept;

  Job* TakeJob() noexcept;
  void ReturnJob(Job* job) noexcept;
  bool PostJob(Job* job) noexcept;
  void LowerPriority() const noexcept;  // pool

  ngx_thread_pool_t* const pool_;
  const ThreadPriority priority_;
  TaskTimer& timer_;
  const unsigned processors_;
  unsigned capacity_ = 1;
  ngx_event_t count_turn_{};
  ngx_connection_t nobody_{};  // NGINX's debug log asks for a connection
  unsigned count_posted_ = 0;
  unsigned count_under_way_ = 0;  // tasks that have not come back
  unsigned count_turns_ = 0;      // since the last one was posted
  ngx_msec_t refused_until_ = 0;
  Job jobs_[kMostThreads];
  Job* free_jobs_ = nullptr;

  // Of the count; shared with its tasks.
  std::atomic<unsigned> count_started_{0};
  std::atomic<bool> count_over_{false};
};

}  // namespace sidepress

#endif
