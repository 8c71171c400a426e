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

// How long the threads of a pool wait for each other when they are counted.
constexpr long kMeetingStepNs = 200'000;
constexpr int kMeetingSteps = 100;

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

void ThreadPoolExecutor::CountThreads() noexcept {
  while (still_counting_ < processors_) {
    Job* job = TakeJob();
    job->handover.handler = MeetThreads;
    job->handover.event.handler = OnThreadsMet;
    if (!PostJob(job)) break;
    ++still_counting_;
  }
}

void ThreadPoolExecutor::MeetThreads(void* context, ngx_log_t*) noexcept {
  ThreadPoolExecutor* self = static_cast<Job*>(context)->executor;
  const unsigned present = self->present_.fetch_add(1) + 1;
  unsigned most = self->most_present_.load();
  while (most < present &&
         !self->most_present_.compare_exchange_weak(most, present)) {
  }
  const timespec step = {0, kMeetingStepNs};
  for (int i = 0; i < kMeetingSteps; ++i) {
    if (self->most_present_.load() >= self->processors_) break;
    nanosleep(&step, nullptr);
  }
  self->present_.fetch_sub(1);
}

void ThreadPoolExecutor::OnThreadsMet(ngx_event_t* event) noexcept {
  auto* job = static_cast<Job*>(event->data);
  ThreadPoolExecutor* self = job->executor;
  self->ReturnJob(job);
  if (--self->still_counting_ == 0) {
    self->capacity_ = self->most_present_.load();
  }
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
