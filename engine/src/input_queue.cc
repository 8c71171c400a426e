#include "compression_engine/input_queue.h"

#include <algorithm>
#include <cstring>

namespace sidepress::engine {

struct InputQueue::Block {
  Block* next;
  std::uint64_t start;   // offset of the first byte in the response
  std::size_t size;      // bytes written
  std::size_t consumed;  // bytes given back
  // Bytes from `unread` to `unread_end` are those of `source`; a task reads
  // them.
  InputSource source;
  std::size_t unread;
  std::size_t unread_end;

  std::uint8_t* data() noexcept {
    return reinterpret_cast<std::uint8_t*>(this + 1);
  }
  std::uint64_t end() const noexcept { return start + size; }
};

InputQueue::~InputQueue() noexcept {
  while (first_ != nullptr) FreeBlock(&first_);
}

template <typename Fill>
std::size_t InputQueue::Extend(std::uint64_t wanted, std::size_t limit,
                               Status* status, Fill fill) noexcept {
  *status = Status::kOk;
  std::size_t taken = 0;
  while (taken < wanted && held_ < limit) {
    Block* block = last_;
    if (block == nullptr || block->size == block_size_) block = Grow();
    if (block == nullptr) {
      *status = Status::kOutOfMemory;
      break;
    }
    const std::size_t size = static_cast<std::size_t>(std::min<std::uint64_t>(
        {wanted - taken, limit - held_, block_size_ - block->size}));
    if (!fill(*block, taken, size)) {
      *status = Status::kInputFailed;
      break;
    }
    block->size += size;
    end_ += size;
    held_ += size;
    taken += size;
  }
  return taken;
}

std::size_t InputQueue::Append(std::span<const std::uint8_t> bytes,
                               std::size_t limit, Status* status) noexcept {
  const auto copy = [bytes](Block& block, std::size_t from,
                            std::size_t size) noexcept {
    std::memcpy(block.data() + block.size, bytes.data() + from, size);
    return true;
  };
  return Extend(bytes.size(), limit, status, copy);
}

std::size_t InputQueue::AppendFrom(const InputSource& source,
                                   std::uint64_t size, std::size_t limit,
                                   Status* status) noexcept {
  const auto note = [&source](Block& block, std::size_t from,
                              std::size_t count) noexcept {
    if (block.unread == block.unread_end) {
      block.source = source;
      block.source.offset += from;
      block.unread = block.unread_end = block.size;
    }
    const std::size_t known = block.unread_end - block.unread;
    const bool follows = block.unread_end == block.size &&
                         block.source.read == source.read &&
                         block.source.handle == source.handle &&
                         block.source.offset + known == source.offset + from;
    if (!follows) {
      return source.Read(from, {block.data() + block.size, count});
    }
    block.unread_end += count;
    return true;
  };
  return Extend(size, limit, status, note);
}

InputQueue::Unread InputQueue::UnreadAt(std::uint64_t offset,
                                        std::size_t size) const noexcept {
  Block* block = Find(offset);
  if (block == nullptr) return {};
  const std::size_t from = static_cast<std::size_t>(offset - block->start);
  const std::size_t begin = std::max(from, block->unread);
  const std::size_t end = std::min(from + size, block->unread_end);
  if (begin >= end) return {};
  InputSource source = block->source;
  source.offset += begin - block->unread;
  return {source, {block->data() + begin, end - begin}};
}

InputQueue::Block* InputQueue::Grow() noexcept {
  void* storage = memory_.Allocate(sizeof(Block) + block_size_);
  if (storage == nullptr) return nullptr;
  Block* block = static_cast<Block*>(storage);
  *block = {nullptr, end_, 0, 0, {}, 0, 0};
  if (last_ != nullptr) {
    last_->next = block;
  } else {
    first_ = block;
  }
  last_ = block;
  return block;
}

void InputQueue::FreeBlock(Block** link) noexcept {
  Block* block = *link;
  *link = block->next;
  if (last_ == block) {
    last_ = nullptr;
    for (Block* left = first_; left != nullptr; left = left->next) {
      last_ = left;
    }
  }
  memory_.Free(block, sizeof(Block) + block_size_);
}

InputQueue::Block* InputQueue::Find(std::uint64_t offset) const noexcept {
  for (Block* block = first_; block != nullptr; block = block->next) {
    if (offset >= block->start && offset < block->end()) return block;
  }
  return nullptr;
}

std::span<const std::uint8_t> InputQueue::SpanAt(
    std::uint64_t offset) const noexcept {
  Block* block = Find(offset);
  if (block == nullptr) return {};
  const std::size_t skip = static_cast<std::size_t>(offset - block->start);
  return {block->data() + skip, block->size - skip};
}

bool InputQueue::SpanIsWhole(std::uint64_t offset) const noexcept {
  Block* block = Find(offset);
  return block != nullptr && block->size == block_size_;
}

void InputQueue::Consume(std::uint64_t offset, std::size_t size) noexcept {
  if (size == 0) return;
  Block** link = &first_;
  while (offset >= (*link)->end()) link = &(*link)->next;
  Block* block = *link;
  block->consumed += size;
  held_ -= size;
  if (IsSpent(*block)) FreeBlock(link);
}

bool InputQueue::IsSpent(const Block& block) const noexcept {
  return block.consumed == block_size_ && block.end() <= retain_from_;
}

void InputQueue::RetainFrom(std::uint64_t offset) noexcept {
  if (offset == retain_from_) return;
  retain_from_ = offset;
  Block** link = &first_;
  while (*link != nullptr) {
    if (IsSpent(**link)) {
      FreeBlock(link);
    } else {
      link = &(*link)->next;
    }
  }
}

bool InputQueue::CopyBefore(std::uint64_t end,
                            std::span<std::uint8_t> to) const noexcept {
  std::uint64_t from = end - to.size();
  while (!to.empty()) {
    const std::span<const std::uint8_t> span = SpanAt(from);
    const std::size_t size = std::min(span.size(), to.size());
    if (size == 0) return false;
    std::memcpy(to.data(), span.data(), size);
    to = to.subspan(size);
    from += size;
  }
  return true;
}

bool InputQueue::MarkFlush() noexcept {
  if (mark_count_ == kMaxMarks) return false;
  marks_[mark_count_] = end_;
  ++mark_count_;
  return true;
}

std::uint64_t InputQueue::NextFlush(std::uint64_t offset) const noexcept {
  for (std::size_t i = 0; i < mark_count_; ++i) {
    const std::uint64_t mark = marks_[i];
    if (mark >= offset) return mark;
  }
  return kNoMark;
}

void InputQueue::DropFlush(std::uint64_t offset) noexcept {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < mark_count_; ++i) {
    const std::uint64_t mark = marks_[i];
    if (mark == offset) continue;
    marks_[kept] = mark;
    ++kept;
  }
  mark_count_ = kept;
}

}  // namespace sidepress::engine
