// Bytes of a response that wait to be compressed, addressed by their offset
// in it. Blocks are as large as a slice, so that a slice is one span.
// Thread: loop; tasks read the bytes of the spans they were given.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "compression_engine/input_source.h"
#include "compression_engine/memory_source.h"
#include "compression_engine/status.h"

namespace sidepress::engine {

class InputQueue {
 public:
  // `memory` must outlive the queue. `block_size`: bytes of a slice.
  InputQueue(MemorySource& memory, std::size_t block_size) noexcept
      : memory_(memory), block_size_(block_size) {}
  InputQueue(const InputQueue&) = delete;
  InputQueue& operator=(const InputQueue&) = delete;
  ~InputQueue() noexcept;

  // Copies from `bytes` until `limit` bytes are held.
  // Returns: the number of bytes taken; `*status` says when memory was refused.
  std::size_t Append(std::span<const std::uint8_t> bytes, std::size_t limit,
                     Status* status) noexcept;

  // The same for the next `size` bytes of `source`, which are not read yet:
  // see UnreadAt. Where one block would have two sources they are read at once.
  std::size_t AppendFrom(const InputSource& source, std::uint64_t size,
                         std::size_t limit, Status* status) noexcept;

  // Bytes that must be read before the span that they are part of is used.
  struct Unread {
    InputSource source;
    std::span<std::uint8_t> bytes;
  };

  // What of the `size` bytes from `offset` on, all within one span, has a
  // source.
  Unread UnreadAt(std::uint64_t offset, std::size_t size) const noexcept;

  // Marks the end of what was appended as a point to flush at.
  // Returns: false when there are too many marks already.
  bool MarkFlush() noexcept;

  // The span from `offset` to the end of its block or of the input.
  std::span<const std::uint8_t> SpanAt(std::uint64_t offset) const noexcept;

  // Whether the span at `offset` reaches the end of a full block: it will
  // not grow.
  bool SpanIsWhole(std::uint64_t offset) const noexcept;

  // The first mark at or after `offset`, kNoMark when there is none.
  std::uint64_t NextFlush(std::uint64_t offset) const noexcept;
  void DropFlush(std::uint64_t offset) noexcept;

  // Gives back `size` bytes at `offset`; blocks are freed when all of their
  // bytes were given back, in any order, and none is to be retained.
  void Consume(std::uint64_t offset, std::size_t size) noexcept;

  // Bytes from `offset` on stay, whether or not they are given back, until
  // this is called with a higher offset; kNoMark: none.
  void RetainFrom(std::uint64_t offset) noexcept;

  // Copies the bytes before `end` to `to`.
  // Returns: false when they are not all there.
  bool CopyBefore(std::uint64_t end, std::span<std::uint8_t> to) const noexcept;

  std::uint64_t end() const noexcept { return end_; }
  // Bytes that were not given back.
  std::size_t held() const noexcept { return held_; }

  static constexpr std::uint64_t kNoMark = UINT64_MAX;

 private:
  struct Block;

  Block* Find(std::uint64_t offset) const noexcept;
  Block* Grow() noexcept;
  template <typename Fill>
  std::size_t Extend(std::uint64_t size, std::size_t limit, Status* status,
                     Fill fill) noexcept;
  void FreeBlock(Block** link) noexcept;
  bool IsSpent(const Block& block) const noexcept;

  // So many marks in two slices of input mean that the upstream writes a few
  // bytes at a time; back pressure costs nothing then.
  static constexpr std::size_t kMaxMarks = 64;

  MemorySource& memory_;
  const std::size_t block_size_;
  Block* first_ = nullptr;
  Block* last_ = nullptr;
  std::uint64_t end_ = 0;
  std::uint64_t retain_from_ = kNoMark;
  std::size_t held_ = 0;
  std::array<std::uint64_t, kMaxMarks> marks_{};  // ascending
  std::size_t mark_count_ = 0;
};

}  // namespace sidepress::engine
