#include "compression_engine/arena.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>

namespace sidepress::engine {
namespace {

std::size_t ClassOf(std::size_t size) {
  return static_cast<std::size_t>(std::bit_width(size));
}

}  // namespace

struct alignas(alignof(std::max_align_t)) Arena::Block {
  Block* next;
  Block* previous;       // in use only
  std::size_t size;      // of the bytes behind this header
  std::uint64_t period;  // that it was used in last

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
  block->period = period_;
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
  Block*& first = idle_[ClassOf(block->size)];
  block->next = first;
  first = block;
}

void Arena::FreeAll() noexcept {
  while (in_use_ != nullptr) Free(in_use_->data());
}

// The best fit, unless it wastes more than it holds: a small request must
// not pin a table of 32 MiB.
Arena::Block* Arena::TakeIdle(std::size_t size) noexcept {
  const std::size_t least = ClassOf(size);
  const std::size_t end = std::min(least + 2, kClasses);
  for (std::size_t i = least; i < end; ++i) {
    Block** best = nullptr;
    for (Block** link = &idle_[i]; *link != nullptr; link = &(*link)->next) {
      const std::size_t have = (*link)->size;
      if (have < size || have / 2 > size) continue;
      if (best == nullptr || have < (*best)->size) best = link;
    }
    if (best == nullptr) continue;
    Block* block = *best;
    *best = block->next;
    return block;
  }
  return nullptr;
}

void Arena::ReleaseIdle(Block** link) noexcept {
  Block* block = *link;
  *link = block->next;
  held_ -= sizeof(Block) + block->size;
  memory_.Free(block, sizeof(Block) + block->size);
}

bool Arena::Keeps(const Block& block,
                  const RetentionPolicy& policy) const noexcept {
  switch (policy.kind) {
    case RetentionPolicy::Kind::kAggressive:
      break;
    case RetentionPolicy::Kind::kCurrentConfig:
      return block.period == period_;
    case RetentionPolicy::Kind::kReleaseAll:
      return false;
    case RetentionPolicy::Kind::kBounded:
      return held_ <= policy.bound;
  }
  return true;
}

void Arena::Trim(const RetentionPolicy& policy) noexcept {
  if (policy.kind != RetentionPolicy::Kind::kAggressive) {
    // The largest first: one of them may be all that is too much.
    for (std::size_t i = kClasses; i-- > 0;) {
      for (Block** link = &idle_[i]; *link != nullptr;) {
        if (Keeps(**link, policy)) {
          link = &(*link)->next;
        } else {
          ReleaseIdle(link);
        }
      }
    }
  }
  ++period_;
}

}  // namespace sidepress::engine
