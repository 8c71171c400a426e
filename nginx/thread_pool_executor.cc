#include "nginx/thread_pool_executor.h"

#if (NGX_THREADS)

#include <sched.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

namespace sidepress {
namespace {

// After a refusal the pool is left alone for so long: each further attempt
// would write a line to the error log.
constexpr ngx_msec_t kRefusalPauseMs = 1000;

// A thread that has not taken a task after so many turns does not exist.
constexpr ngx_msec_t kCountTurnMs = 1;
constexpr unsigned kCountTurns = 20;

// How long a task of the count waits for its end at most, should the loop be
// held up or the worker be told to quit.
constexpr long kCountStepNs = 200'000;
constexpr int kCountSteps = 1000;

unsigned Processors() noexcept {
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return static_cast<unsigned>(std::clamp<long>(
      online, 1, static_cast<long>(ThreadPoolExecutor::kMostThreads)));
}

thread_local bool priority_is_set = false;

}  // namespace

ThreadPoolExecutor::ThreadPoolExecutor(ngx_thread_pool_t* pool,
                                       ThreadPriority priority,
                                       TaskTimer& timer,
                                       ngx_log_t* log) noexcept
    : pool_(pool),
      priority_(priority),
      timer_(timer),
      processors_(Processors()) {
  nobody_.data = this;
  nobody_.fd = static_cast<ngx_socket_t>(-1);
  count_turn_.data = &nobody_;
  count_turn_.handler = OnCountTurn;
  count_turn_.log = log;
  for (Job& job : jobs_) {
    job = {};
    job.executor = this;
    job.handover.ctx = &job;
    job.handover.event.data = &job;
    job.handover.event.log = log;
    ReturnJob(&job);
  }
}

ThreadPoolExecutor::Job* ThreadPoolExecutor::TakeJob() noexcept {
  Job* job = free_jobs_;
  if (job != nullptr) free_jobs_ = job->next_free;
  return job;
}

void ThreadPoolExecutor::ReturnJob(Job* job) noexcept {
  job->next_free = free_jobs_;
  free_jobs_ = job;
}

bool ThreadPoolExecutor::PostJob(Job* job) noexcept {
  if (ngx_thread_task_post(pool_, &job->handover) == NGX_OK) return true;
  refused_until_ = ngx_current_msec + kRefusalPauseMs;
  ReturnJob(job);
  return false;
}

bool ThreadPoolExecutor::Post(engine::SliceTask* task) noexcept {
  // A short queue may have no room beside a task of the count.
  if (count_under_way_ > 0) return false;
  if (static_cast<ngx_msec_int_t>(refused_until_ - ngx_current_msec) > 0) {
    return false;
  }
  Job* job = TakeJob();
  if (job == nullptr) return false;
  job->task = task;
  job->handover.handler = RunTask;
  job->handover.event.handler = OnTaskDone;
  if (!PostJob(job)) return false;
  timer_.Begin();
  return true;
}

void ThreadPoolExecutor::RunTask(void* context, ngx_log_t*) noexcept {
  auto* job = static_cast<Job*>(context);
  job->executor->LowerPriority();
  job->task->Run();
}

void ThreadPoolExecutor::OnTaskDone(ngx_event_t* event) noexcept {
  auto* job = static_cast<Job*>(event->data);
  engine::SliceTask* task = job->task;
  job->executor->timer_.End();
  job->executor->ReturnJob(job);
  task->scheduler->Complete(task);
}

void ThreadPoolExecutor::CountThreads() noexcept { OnCountTurn(&count_turn_); }

void ThreadPoolExecutor::OnCountTurn(ngx_event_t* event) noexcept {
  auto* self = static_cast<ThreadPoolExecutor*>(
      static_cast<ngx_connection_t*>(event->data)->data);
  const unsigned started = self->count_started_.load();
  bool over = ++self->count_turns_ > kCountTurns;
  if (started == self->count_posted_) {
    Job* job = started < self->processors_ ? self->TakeJob() : nullptr;
    over = job == nullptr;
    if (job != nullptr) {
      job->handover.handler = WaitForCount;
      job->handover.event.handler = OnThreadMet;
      over = !self->PostJob(job);
      if (!over) {
        ++self->count_posted_;
        ++self->count_under_way_;
      }
      self->count_turns_ = 0;
    }
  }
  if (!over) {
    ngx_add_timer(event, kCountTurnMs);
    return;
  }
  self->count_over_.store(true);
  self->capacity_ = std::max(1u, self->count_started_.load());
}

void ThreadPoolExecutor::WaitForCount(void* context, ngx_log_t*) noexcept {
  ThreadPoolExecutor* self = static_cast<Job*>(context)->executor;
  if (self->count_over_.load()) return;
  self->count_started_.fetch_add(1);
  const timespec step = {0, kCountStepNs};
  for (int i = 0; i < kCountSteps && !self->count_over_.load(); ++i) {
    nanosleep(&step, nullptr);
  }
}

void ThreadPoolExecutor::OnThreadMet(ngx_event_t* event) noexcept {
  auto* job = static_cast<Job*>(event->data);
  --job->executor->count_under_way_;
  job->executor->ReturnJob(job);
}

// A thread without privilege cannot raise its priority again, so it is
// lowered once and for good.
void ThreadPoolExecutor::LowerPriority() const noexcept {
  if (priority_is_set) return;
  priority_is_set = true;
  if (priority_ == ThreadPriority::kLow) {
    constexpr int kLowestNice = 19;
    static_cast<void>(setpriority(PRIO_PROCESS, 0, kLowestNice));
  } else if (priority_ == ThreadPriority::kIdle) {
    const sched_param parameters = {};
    static_cast<void>(sched_setscheduler(0, SCHED_IDLE, &parameters));
  }
}

}  // namespace sidepress

#endif
