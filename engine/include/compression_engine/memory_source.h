// Where every byte that is held for compression comes from: the one place
// that a memory budget is consulted.
#pragma once

#include <atomic>
#include <cstddef>

namespace sidepress::engine {

// Thread: loop and pool; implementations are safe to call from both.
class MemorySource {
 public:
  // Returns: `size` bytes aligned for any type, or nullptr when the memory is
  // refused. Never throws, never aborts.
  virtual void* Allocate(std::size_t size) noexcept = 0;

  // REQUIRES: `memory` came from Allocate(`size`) of this source.
  virtual void Free(void* memory, std::size_t size) noexcept = 0;

 protected:
  ~MemorySource() = default;
};

// The process heap, counted, with a limit.
class HeapMemory final : public MemorySource {
 public:
  // `limit`: bytes that may be held at one time.
  explicit HeapMemory(std::size_t limit) noexcept : limit_(limit) {}

  void* Allocate(std::size_t size) noexcept override;
  void Free(void* memory, std::size_t size) noexcept override;

  // Bytes held now. Another thread may change it at any time.
  std::size_t used() const noexcept {
    return used_.load(std::memory_order_relaxed);
  }

 private:
  const std::size_t limit_;
  std::atomic<std::size_t> used_{0};
};

}  // namespace sidepress::engine
