#include "compression_engine/encoder_cache.h"

#include <cassert>
#include <new>

namespace sidepress::engine {
namespace {

constexpr std::size_t RoundUp(std::size_t size) {
  constexpr std::size_t kAlign = alignof(std::max_align_t);
  return (size + kAlign - 1) / kAlign * kAlign;
}

}  // namespace

EncoderSlot::EncoderSlot(const Codec& codec, MemorySource& memory,
                         bool kept) noexcept
    : arena_(memory),
      encoder_(codec.Construct(
          reinterpret_cast<unsigned char*>(this) + RoundUp(sizeof(*this)),
          arena_)),
      kept_(kept) {}

void EncoderSlot::Retire(const RetentionPolicy& policy) noexcept {
  encoder_->End(policy.Keeps(arena_.held()));
  arena_.Trim(policy);
}

EncoderCache::~EncoderCache() noexcept {
  assert(in_use_ == 0);
  while (idle_ != nullptr) {
    EncoderSlot* slot = idle_;
    idle_ = slot->next_idle_;
    Destroy(slot);
  }
}

std::size_t EncoderCache::SlotSize() const noexcept {
  return RoundUp(sizeof(EncoderSlot)) + codec_.EncoderSize();
}

EncoderSlot* EncoderCache::Acquire(bool reuse) noexcept {
  if (reuse && idle_ != nullptr) {
    EncoderSlot* slot = idle_;
    idle_ = slot->next_idle_;
    --idle_count_;
    ++in_use_;
    return slot;
  }
  void* storage = memory_.Allocate(SlotSize());
  if (storage == nullptr) return nullptr;
  const bool kept = reuse && kept_count_ < limits_.kept;
  if (kept) ++kept_count_;
  ++in_use_;
  return new (storage) EncoderSlot(codec_, memory_, kept);
}

void EncoderCache::Release(EncoderSlot* slot) noexcept {
  --in_use_;
  if (!slot->kept_ || idle_count_ >= limits_.idle) {
    Destroy(slot);
    return;
  }
  slot->next_idle_ = idle_;
  idle_ = slot;
  ++idle_count_;
}

void EncoderCache::Destroy(EncoderSlot* slot) noexcept {
  if (slot->kept_) --kept_count_;
  slot->~EncoderSlot();
  memory_.Free(slot, SlotSize());
}

}  // namespace sidepress::engine
