// What one worker process holds for compression. Thread: loop.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "compression_engine/block_cache.h"
#include "compression_engine/encoder_cache.h"
#include "compression_engine/memory_source.h"
#include "compression_engine/scheduler.h"
#include "nginx/codec_table.h"
#include "nginx/configuration.h"
#include "nginx/loop_executor.h"
#include "nginx/ngx.h"
#include "nginx/task_timer.h"
#include "nginx/thread_pool_executor.h"

namespace sidepress {

class WorkerState {
 public:
  // REQUIRES: `cycle` outlives the worker.
  explicit WorkerState(ngx_cycle_t* cycle) noexcept;

  // Returns: false when memory was refused.
  bool AddPool(const PoolUse& use, ThreadPriority priority,
               ngx_cycle_t* cycle) noexcept;

  // The scheduler of a pool; the event loop's when `pool` is nullptr.
  engine::Scheduler& SchedulerOf(ngx_thread_pool_t* pool) noexcept;
  engine::EncoderCache& EncodersOf(const CodecRow& row) noexcept;
  // Of streams and their blocks.
  engine::MemorySource& blocks() noexcept { return blocks_; }

 private:
  struct Pool;

  // Bytes of idle blocks: what a few responses on a pool hold at one time.
  static constexpr std::size_t kIdleBlocks = 2 * 1024 * 1024;

  // Not limited yet: the budget is decided where memory is admitted.
  engine::HeapMemory memory_{SIZE_MAX};
  engine::BlockCache blocks_{memory_, kIdleBlocks};
  std::array<std::optional<engine::EncoderCache>, kCodecRows> encoders_;
  TaskTimer timer_;
  LoopExecutor loop_;
  engine::Scheduler loop_scheduler_;
  Pool* pools_ = nullptr;
};

// The state of this worker; nullptr in processes that serve no requests.
WorkerState* CurrentWorker() noexcept;

// As ngx_module_t takes it.
ngx_int_t InitWorker(ngx_cycle_t* cycle) noexcept;

}  // namespace sidepress
