// Everything that a host supplies to the engine, under the control of a test:
// tasks run and complete when and in the order that the test says, and memory
// and posts are refused when it says.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "compression_engine/compressed_stream.h"
#include "compression_engine/encoder_cache.h"
#include "compression_engine/executor.h"
#include "compression_engine/memory_source.h"
#include "compression_engine/scheduler.h"

namespace sidepress::tests {

// Counts what is held and refuses one allocation in `refuse_one_in`.
class UnreliableMemory final : public engine::MemorySource {
 public:
  explicit UnreliableMemory(std::mt19937& random) : random_(random) {}

  void* Allocate(std::size_t size) noexcept override;
  void Free(void* memory, std::size_t size) noexcept override;

  unsigned refuse_one_in = 0;  // 0: never
  std::size_t held = 0;
  unsigned refused = 0;

 private:
  std::mt19937& random_;
};

// Holds posted tasks until the test lets one run.
class SteppedExecutor final : public engine::Executor {
 public:
  explicit SteppedExecutor(std::mt19937& random) : random_(random) {}

  bool Post(engine::SliceTask* task) noexcept override;
  unsigned Capacity() const noexcept override { return capacity; }

  // Runs one posted task, any of them, and reports it to `scheduler`.
  // Returns: false when there is none.
  bool CompleteOne(engine::Scheduler& scheduler);

  unsigned capacity = 1;
  unsigned refuse_one_in = 0;  // 0: never
  std::vector<engine::SliceTask*> posted;

 private:
  std::mt19937& random_;
};

}  // namespace sidepress::tests
