#include "model/simulated_host.h"

#include <cstdlib>

namespace sidepress::tests {

void* UnreliableMemory::Allocate(std::size_t size) noexcept {
  if (refuse_one_in > 0 && random_() % refuse_one_in == 0) {
    ++refused;
    return nullptr;
  }
  held += size;
  return std::malloc(size);
}

void UnreliableMemory::Free(void* memory, std::size_t size) noexcept {
  held -= size;
  std::free(memory);
}

bool SteppedExecutor::Post(engine::SliceTask* task) noexcept {
  if (refuse_one_in > 0 && random_() % refuse_one_in == 0) return false;
  posted.push_back(task);
  return true;
}

bool SteppedExecutor::CompleteOne(engine::Scheduler& scheduler) {
  if (posted.empty()) return false;
  const std::size_t i = random_() % posted.size();
  engine::SliceTask* task = posted[i];
  posted.erase(posted.begin() + static_cast<std::ptrdiff_t>(i));
  task->Run();
  scheduler.Complete(task);
  return true;
}

}  // namespace sidepress::tests
