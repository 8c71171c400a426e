// Memory of one encoder, recycled from run to run.
//
// Encoder libraries allocate a dozen blocks for each stream, up to tens of
// MiB, and free them all at its end. Taken from the heap, such blocks are
// mapped, faulted in page by page and unmapped again for every response; at
// Brotli level 9 that is four fifths of the time. The arena keeps the blocks
// instead and hands them out again, by size.
//
// Thread: whoever holds the encoder; never two at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "compression_engine/memory_source.h"

namespace sidepress::engine {

// What an idle encoder keeps.
struct RetentionPolicy {
  enum class Kind : unsigned char {
    kAggressive,     // everything it ever needed
    kCurrentConfig,  // what its last run needed
    kReleaseAll,     // nothing
    kBounded,        // at most `bound` bytes
  };
  Kind kind = Kind::kAggressive;
  std::size_t bound = 0;  // bytes; kBounded only

  // Whether an encoder that holds `held` bytes may keep all of them.
  bool Keeps(std::size_t held) const noexcept {
    return kind == Kind::kAggressive ||
           (kind == Kind::kBounded && held <= bound);
  }
};

class Arena {
 public:
  // `memory` must outlive the arena.
  explicit Arena(MemorySource& memory) noexcept : memory_(memory) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // REQUIRES: everything allocated was freed.
  ~Arena() noexcept;

  // Returns: at least `size` bytes aligned for any type, nullptr when
  // refused. Contents are whatever the last user left.
  void* Allocate(std::size_t size) noexcept;

  // Takes back what Allocate returned; nullptr is ignored.
  void Free(void* memory) noexcept;

  // Takes back everything that is handed out: for an encoder that was
  // abandoned in the middle of its work.
  void FreeAll() noexcept;

  // Gives idle blocks back to the source, as `policy` says, and begins a new
  // period of use for kCurrentConfig.
  void Trim(const RetentionPolicy& policy) noexcept;

  // Bytes held, in use or idle.
  std::size_t held() const noexcept { return held_; }

 private:
  // A block's header stands in front of the bytes that are handed out.
  struct Block;

  // Idle blocks by the number of bits of their size: an encoder that has seen
  // many levels holds dozens, and looking through them all costs a cache miss
  // each.
  static constexpr std::size_t kClasses =
      std::numeric_limits<std::size_t>::digits + 1;

  Block* TakeIdle(std::size_t size) noexcept;
  void ReleaseIdle(Block** link) noexcept;
  bool Keeps(const Block& block, const RetentionPolicy& policy) const noexcept;

  MemorySource& memory_;
  std::array<Block*, kClasses> idle_{};
  Block* in_use_ = nullptr;
  std::size_t held_ = 0;
  std::uint64_t period_ = 1;  // counts calls of Trim
};

}  // namespace sidepress::engine
