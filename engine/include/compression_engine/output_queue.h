// Compressed bytes on their way from an encoder to the client.
// Thread: whoever holds the queue (the loop, or the task it was given to).
#pragma once

#include <cstddef>
#include <cstdint>

#include "compression_engine/memory_source.h"

namespace sidepress::engine {

// One piece of output. The bytes follow the header in memory.
struct OutputBlock {
  OutputBlock* next;
  std::size_t capacity;
  std::size_t size;  // bytes written

  std::uint8_t* data() noexcept {
    return reinterpret_cast<std::uint8_t*>(this + 1);
  }
  static OutputBlock* FromData(std::uint8_t* data) noexcept {
    return reinterpret_cast<OutputBlock*>(data) - 1;
  }
};

class OutputQueue {
 public:
  OutputQueue() noexcept = default;
  OutputQueue(const OutputQueue&) = delete;
  OutputQueue& operator=(const OutputQueue&) = delete;

  bool empty() const noexcept { return first_ == nullptr; }
  std::size_t count() const noexcept { return count_; }
  OutputBlock* first() noexcept { return first_; }

  void Append(OutputBlock* block) noexcept;
  OutputBlock* TakeFirst() noexcept;
  void Remove(OutputBlock* block) noexcept;
  void MoveTo(OutputQueue& other) noexcept;

  // Adds empty blocks until there are `wanted`.
  // Returns: whether there is at least one.
  bool Fill(MemorySource& memory, std::size_t capacity,
            std::size_t wanted) noexcept;
  void Clear(MemorySource& memory) noexcept;

 private:
  OutputBlock* first_ = nullptr;
  OutputBlock** last_ = &first_;
  std::size_t count_ = 0;
};

void FreeOutputBlock(MemorySource& memory, OutputBlock* block) noexcept;

}  // namespace sidepress::engine
