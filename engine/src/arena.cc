#include "compression_engine/arena.h"

#include <cassert>
#include <cstdint>

namespace sidepress::engine {

struct alignas(alignof(std::max_align_t)) Arena::Block {
  Block* next;
  Block* previous;   // in use only
  std::size_t size;  // of the bytes behind this header
  bool used;         // since the last Trim

  void* data() noexcept { return this + 1; }
};

Arena::~Arena() noexcept {
  assert(in_use_ == nullptr);
  Trim({RetentionPolicy::Kind::kReleaseAll});
}

void* Arena::Allocate(std::size_t size) noexcept {
  Block* block = TakeIdle(size);
  if (block == nullptr) {
    if (size > SIZE_MAX - sizeof(Block)) return nullptr;
    block = static_cast<Block*>(memory_.Allocate(sizeof(Block) + size));
    if (block == nullptr) return nullptr;
    block->size = size;
    held_ += sizeof(Block) + size;
  }
  block->used = true;
  block->previous = nullptr;
  block->next = in_use_;
  if (in_use_ != nullptr) in_use_->previous = block;
  in_use_ = block;
  return block->data();
}

void Arena::Free(void* memory) noexcept {
  if (memory == nullptr) return;
  Block* block = static_cast<Block*>(memory) - 1;
  if (block->previous != nullptr) {
    block->previous->next = block->next;
  } else {
    in_use_ = block->next;
  }
  if (block->next != nullptr) block->next->previous = block->previous;
  block->next = idle_;
  idle_ = block;
}

void Arena::FreeAll() noexcept {
  while (in_use_ != nullptr) Free(in_use_->data());
}

// The best fit, unless it wastes more than it holds: a small request must
// not pin a table of 32 MiB.
Arena::Block* Arena::TakeIdle(std::size_t size) noexcept {
  Block** best = nullptr;
  for (Block** link = &idle_; *link != nullptr; link = &(*link)->next) {
    const std::size_t have = (*link)->size;
    if (have < size || have / 2 > size) continue;
    if (best == nullptr || have < (*best)->size) best = link;
  }
  if (best == nullptr) return nullptr;
  Block* block = *best;
  *best = block->next;
  return block;
}

void Arena::ReleaseIdle(Block** link) noexcept {
  Block* block = *link;
  *link = block->next;
  held_ -= sizeof(Block) + block->size;
  memory_.Free(block, sizeof(Block) + block->size);
}

void Arena::Trim(const RetentionPolicy& policy) noexcept {
  for (Block** link = &idle_; *link != nullptr;) {
    bool keep = true;
    switch (policy.kind) {
      case RetentionPolicy::Kind::kAggressive:
        break;
      case RetentionPolicy::Kind::kCurrentConfig:
        keep = (*link)->used;
        break;
      case RetentionPolicy::Kind::kReleaseAll:
        keep = false;
        break;
      case RetentionPolicy::Kind::kBounded:
        keep = held_ <= policy.bound;
        break;
    }
    if (keep) {
      (*link)->used = false;
      link = &(*link)->next;
    } else {
      ReleaseIdle(link);
    }
  }
}

}  // namespace sidepress::engine
