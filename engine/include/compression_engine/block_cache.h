// Blocks of a few sizes, kept from response to response.
//
// Input and output blocks come and go by the megabyte. The heap maps the large
// ones, or grows and trims its end, and every page is faulted in anew: a tenth
// of the CPU at the cheap levels.
//
// Thread: loop, unlike other memory sources.
#pragma once

#include <array>
#include <cstddef>

#include "compression_engine/memory_source.h"

namespace sidepress::engine {

class BlockCache final : public MemorySource {
 public:
  // `memory` must outlive the cache. `idle_limit`: bytes of idle blocks.
  BlockCache(MemorySource& memory, std::size_t idle_limit) noexcept
      : memory_(memory), idle_limit_(idle_limit) {}
  BlockCache(const BlockCache&) = delete;
  BlockCache& operator=(const BlockCache&) = delete;

  // REQUIRES: everything allocated was freed.
  ~BlockCache() noexcept { ReleaseIdle(); }

  void* Allocate(std::size_t size) noexcept override;
  void Free(void* memory, std::size_t size) noexcept override;

  // Gives all idle blocks back to the source.
  void ReleaseIdle() noexcept;

  // Bytes that are kept idle.
  std::size_t idle() const noexcept { return idle_bytes_; }

 private:
  struct IdleBlock {
    IdleBlock* next;
  };
  // The idle blocks of one size; 0: not in use yet.
  struct SizeClass {
    std::size_t size = 0;
    IdleBlock* first = nullptr;
  };

  // The sizes of slices and of output blocks at a few levels, of streams and
  // of lanes.
  static constexpr std::size_t kClasses = 8;

  SizeClass* Find(std::size_t size) noexcept;
  void Release(SizeClass& blocks) noexcept;

  MemorySource& memory_;
  const std::size_t idle_limit_;
  std::size_t idle_bytes_ = 0;
  std::size_t next_replaced_ = 0;
  std::array<SizeClass, kClasses> classes_;
};

}  // namespace sidepress::engine
