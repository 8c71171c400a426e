#include "compression_engine/block_cache.h"

#include <new>

namespace sidepress::engine {

BlockCache::SizeClass* BlockCache::Find(std::size_t size) noexcept {
  for (SizeClass& blocks : classes_) {
    if (blocks.size == size) return &blocks;
  }
  return nullptr;
}

void* BlockCache::Allocate(std::size_t size) noexcept {
  SizeClass* blocks = Find(size);
  if (blocks != nullptr && blocks->first != nullptr) {
    IdleBlock* block = blocks->first;
    blocks->first = block->next;
    idle_bytes_ -= size;
    return block;
  }
  void* memory = memory_.Allocate(size);
  if (memory != nullptr || idle_bytes_ == 0) return memory;
  // What lies idle must not be the reason for a refusal.
  ReleaseIdle();
  return memory_.Allocate(size);
}

void BlockCache::Free(void* memory, std::size_t size) noexcept {
  if (size < sizeof(IdleBlock) || size > idle_limit_ ||
      idle_bytes_ > idle_limit_ - size) {
    memory_.Free(memory, size);
    return;
  }
  SizeClass* blocks = Find(size);
  if (blocks == nullptr) {
    blocks = &classes_[next_replaced_];
    next_replaced_ = (next_replaced_ + 1) % kClasses;
    Release(*blocks);
    blocks->size = size;
  }
  blocks->first = new (memory) IdleBlock{blocks->first};
  idle_bytes_ += size;
}

void BlockCache::Release(SizeClass& blocks) noexcept {
  while (blocks.first != nullptr) {
    IdleBlock* block = blocks.first;
    blocks.first = block->next;
    idle_bytes_ -= blocks.size;
    memory_.Free(block, blocks.size);
  }
}

void BlockCache::ReleaseIdle() noexcept {
  for (SizeClass& blocks : classes_) Release(blocks);
}

}  // namespace sidepress::engine
