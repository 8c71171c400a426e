// Encoders of one codec, kept with their memory from response to response.
// Thread: loop.
#pragma once

#include <cstddef>

#include "compression_engine/arena.h"
#include "compression_engine/codec.h"
#include "compression_engine/memory_source.h"

namespace sidepress::engine {

// An encoder and the arena it allocates from; they travel together.
class EncoderSlot {
 public:
  EncoderSlot(const Codec& codec, MemorySource& memory, bool kept) noexcept;
  EncoderSlot(const EncoderSlot&) = delete;
  EncoderSlot& operator=(const EncoderSlot&) = delete;
  ~EncoderSlot() noexcept { encoder_->End(false); }

  SegmentEncoder& encoder() noexcept { return *encoder_; }
  Arena& arena() noexcept { return arena_; }

  // Ends the encoder's run, complete or not, and gives back what `policy` does
  // not keep. Thread: whoever holds the slot.
  void Retire(const RetentionPolicy& policy) noexcept;

 private:
  friend class EncoderCache;

  Arena arena_;
  SegmentEncoder* encoder_;
  EncoderSlot* next_idle_ = nullptr;
  const bool kept_;  // counted among EncoderCacheLimits::kept
};

struct EncoderCacheLimits {
  unsigned idle = 4;  // encoders that wait for work
  unsigned kept = 4;  // encoders that are kept for reuse, idle and in use
};

class EncoderCache {
 public:
  // `codec` and `memory` must outlive the cache.
  EncoderCache(const Codec& codec, MemorySource& memory,
               const EncoderCacheLimits& limits) noexcept
      : codec_(codec), memory_(memory), limits_(limits) {}
  EncoderCache(const EncoderCache&) = delete;
  EncoderCache& operator=(const EncoderCache&) = delete;

  // REQUIRES: every slot was released.
  ~EncoderCache() noexcept;

  const Codec& codec() const noexcept { return codec_; }

  // Returns: an encoder with no run begun, nullptr when memory is refused.
  // `reuse`: whether it may be one of those that are kept.
  EncoderSlot* Acquire(bool reuse) noexcept;

  // REQUIRES: the slot's encoder was ended.
  void Release(EncoderSlot* slot) noexcept;

  // Encoders that are handed out now.
  unsigned in_use() const noexcept { return in_use_; }
  unsigned idle() const noexcept { return idle_count_; }

 private:
  std::size_t SlotSize() const noexcept;
  void Destroy(EncoderSlot* slot) noexcept;

  const Codec& codec_;
  MemorySource& memory_;
  const EncoderCacheLimits limits_;
  EncoderSlot* idle_ = nullptr;  // last in, first out: the warmest first
  unsigned idle_count_ = 0;
  unsigned kept_count_ = 0;
  unsigned in_use_ = 0;
};

}  // namespace sidepress::engine
