#include "compression_engine/output_queue.h"

#include <cassert>

namespace sidepress::engine {

void FreeOutputBlock(MemorySource& memory, OutputBlock* block) noexcept {
  memory.Free(block, sizeof(OutputBlock) + block->capacity);
}

void OutputQueue::Append(OutputBlock* block) noexcept {
  block->next = nullptr;
  *last_ = block;
  last_ = &block->next;
  ++count_;
}

OutputBlock* OutputQueue::TakeFirst() noexcept {
  OutputBlock* block = first_;
  if (block != nullptr) Remove(block);
  return block;
}

void OutputQueue::Remove(OutputBlock* block) noexcept {
  OutputBlock** link = &first_;
  while (*link != block) {
    assert(*link != nullptr);
    link = &(*link)->next;
  }
  *link = block->next;
  if (last_ == &block->next) last_ = link;
  --count_;
}

void OutputQueue::MoveTo(OutputQueue& other) noexcept {
  if (first_ == nullptr) return;
  *other.last_ = first_;
  other.last_ = last_;
  other.count_ += count_;
  first_ = nullptr;
  last_ = &first_;
  count_ = 0;
}

bool OutputQueue::Fill(MemorySource& memory, std::size_t capacity,
                       std::size_t wanted) noexcept {
  while (count_ < wanted) {
    void* storage = memory.Allocate(sizeof(OutputBlock) + capacity);
    if (storage == nullptr) break;
    OutputBlock* block = static_cast<OutputBlock*>(storage);
    block->capacity = capacity;
    block->size = 0;
    Append(block);
  }
  return count_ > 0;
}

void OutputQueue::Clear(MemorySource& memory) noexcept {
  while (OutputBlock* block = TakeFirst()) FreeOutputBlock(memory, block);
}

}  // namespace sidepress::engine
