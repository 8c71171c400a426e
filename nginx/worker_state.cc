#include "nginx/worker_state.h"

#include <new>

#include "nginx/module_tables.h"

namespace sidepress {
namespace {

WorkerState* current_worker = nullptr;

engine::EncoderCacheLimits LimitsOf(ngx_cycle_t* cycle,
                                    const CodecRow& row) noexcept {
  auto* conf = static_cast<CodecMainConf*>(
      ngx_http_cycle_get_module_main_conf(cycle, row.filter_module));
  return {static_cast<unsigned>(conf->idle_encoders),
          static_cast<unsigned>(conf->parallel_compressors)};
}

// Memory of the process, not of the cycle: the worker's tasks use it until
// the process ends.
template <typename T, typename... Arguments>
T* New(ngx_log_t* log, Arguments&&... arguments) noexcept {
  void* storage = ngx_memalign(alignof(T), sizeof(T), log);
  if (storage == nullptr) return nullptr;
  return new (storage) T(arguments...);
}

}  // namespace

#if (NGX_THREADS)

struct WorkerState::Pool {
  Pool(const PoolUse& use, ThreadPriority priority, LoopExecutor& loop,
       TaskTimer& timer, ngx_log_t* log) noexcept
      : pool(use.pool),
        executor(use.pool, priority, timer, log),
        scheduler(executor, loop) {}

  ngx_thread_pool_t* const pool;
  ThreadPoolExecutor executor;
  engine::Scheduler scheduler;
  Pool* next = nullptr;
};

bool WorkerState::AddPool(const PoolUse& use, ThreadPriority priority,
                          ngx_cycle_t* cycle) noexcept {
  Pool* pool = New<Pool>(cycle->log, use,
                         use.shared ? ThreadPriority::kNormal : priority, loop_,
                         timer_, cycle->log);
  if (pool == nullptr) return false;
  pool->next = pools_;
  pools_ = pool;
  pool->executor.CountThreads();
  return true;
}

engine::Scheduler& WorkerState::SchedulerOf(ngx_thread_pool_t* pool) noexcept {
  for (Pool* known = pools_; known != nullptr; known = known->next) {
    if (known->pool == pool) return known->scheduler;
  }
  return loop_scheduler_;
}

#else

bool WorkerState::AddPool(const PoolUse&, ThreadPriority,
                          ngx_cycle_t*) noexcept {
  return true;
}

engine::Scheduler& WorkerState::SchedulerOf(ngx_thread_pool_t*) noexcept {
  return loop_scheduler_;
}

#endif

WorkerState::WorkerState(ngx_cycle_t* cycle) noexcept
    : timer_(cycle->log),
      loop_(timer_, cycle->log),
      loop_scheduler_(loop_, loop_) {
  for (std::size_t i = 0; i < kCodecRows; ++i) {
    const CodecRow& row = Codecs()[i];
    encoders_[i].emplace(row.codec, memory_, LimitsOf(cycle, row));
  }
}

engine::EncoderCache& WorkerState::EncodersOf(const CodecRow& row) noexcept {
  return *encoders_[static_cast<std::size_t>(&row - Codecs().data())];
}

WorkerState* CurrentWorker() noexcept { return current_worker; }

ngx_int_t InitWorker(ngx_cycle_t* cycle) noexcept {
  if (ngx_process != NGX_PROCESS_WORKER && ngx_process != NGX_PROCESS_SINGLE) {
    return NGX_OK;
  }
  // A configuration without an http block has no modules of ours.
  if (ngx_get_conf(cycle->conf_ctx, ngx_http_module) == nullptr) {
    return NGX_OK;
  }
  current_worker = New<WorkerState>(cycle->log, cycle);
  if (current_worker == nullptr) return NGX_ERROR;
  auto* conf = static_cast<SidepressMainConf*>(
      ngx_http_cycle_get_module_main_conf(cycle, ngx_http_sidepress_module));
  auto* pools = static_cast<PoolUse*>(conf->pools->elts);
  for (ngx_uint_t i = 0; i < conf->pools->nelts; ++i) {
    if (!current_worker->AddPool(
            pools[i], static_cast<ThreadPriority>(conf->thread_priority),
            cycle)) {
      return NGX_ERROR;
    }
  }
  return NGX_OK;
}

}  // namespace sidepress
