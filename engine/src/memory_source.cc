#include "compression_engine/memory_source.h"

#include <cstdlib>

namespace sidepress::engine {

void* HeapMemory::Allocate(std::size_t size) noexcept {
  const std::size_t before = used_.fetch_add(size, std::memory_order_relaxed);
  if (size > limit_ || before > limit_ - size) {
    used_.fetch_sub(size, std::memory_order_relaxed);
    return nullptr;
  }
  void* memory = std::malloc(size);
  if (memory == nullptr) {
    used_.fetch_sub(size, std::memory_order_relaxed);
  }
  return memory;
}

void HeapMemory::Free(void* memory, std::size_t size) noexcept {
  std::free(memory);
  used_.fetch_sub(size, std::memory_order_relaxed);
}

}  // namespace sidepress::engine
