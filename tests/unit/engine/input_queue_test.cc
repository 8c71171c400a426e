#include "compression_engine/input_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include <string>

namespace sidepress::engine {
namespace {

class InputQueueTest : public testing::Test {
 protected:
  std::size_t Append(const std::string& text, std::size_t limit = 1000) {
    return queue_.Append(
        {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()},
        limit, &status_);
  }

  std::string At(std::uint64_t offset) {
    const auto span = queue_.SpanAt(offset);
    return {reinterpret_cast<const char*>(span.data()), span.size()};
  }

  HeapMemory memory_{10'000};
  InputQueue queue_{memory_, 4};
  Status status_ = Status::kOk;
};

TEST_F(InputQueueTest, SpansEndWithTheirBlock) {
  EXPECT_EQ(Append("abcdefghij"), 10u);
  EXPECT_EQ(At(0), "abcd");
  EXPECT_EQ(At(3), "d");
  EXPECT_EQ(At(4), "efgh");
  EXPECT_EQ(At(8), "ij");
  EXPECT_EQ(At(10), "");
  EXPECT_TRUE(queue_.SpanIsWhole(5));
  EXPECT_FALSE(queue_.SpanIsWhole(8));
}

TEST_F(InputQueueTest, TakesNoMoreThanTheLimit) {
  EXPECT_EQ(Append("abcdefghij", 6), 6u);
  EXPECT_EQ(queue_.held(), 6u);
  queue_.Consume(0, 3);
  EXPECT_EQ(Append("xyz", 6), 3u);
  EXPECT_EQ(status_, Status::kOk);
}

TEST_F(InputQueueTest, BlocksAreFreedInAnyOrder) {
  Append("abcdefghijkl");
  const std::size_t all = memory_.used();
  queue_.Consume(4, 4);
  EXPECT_LT(memory_.used(), all);
  EXPECT_EQ(At(0), "abcd");
  EXPECT_EQ(At(8), "ijkl");
  queue_.Consume(8, 4);
  queue_.Consume(0, 4);
  EXPECT_EQ(memory_.used(), 0u);
  Append("mn");
  EXPECT_EQ(At(12), "mn");
}

TEST_F(InputQueueTest, RefusedMemoryIsReported) {
  HeapMemory nothing(1);
  InputQueue queue(nothing, 4);
  const std::uint8_t byte = 0;
  EXPECT_EQ(queue.Append({&byte, 1}, 10, &status_), 0u);
  EXPECT_EQ(status_, Status::kOutOfMemory);
}

std::string Before(const InputQueue& queue, std::uint64_t end,
                   std::size_t size) {
  std::string bytes(size, '?');
  const bool there = queue.CopyBefore(
      end, {reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()});
  return there ? bytes : "gone";
}

TEST_F(InputQueueTest, RetainedBytesOutliveTheirConsumption) {
  queue_.RetainFrom(3);
  Append("abcdefghij");
  queue_.Consume(0, 4);
  queue_.Consume(4, 4);
  EXPECT_EQ(queue_.held(), 2u);
  EXPECT_EQ(Before(queue_, 8, 5), "defgh");
  queue_.RetainFrom(4);
  EXPECT_EQ(Before(queue_, 8, 4), "efgh");
  EXPECT_EQ(Before(queue_, 8, 5), "gone");
  queue_.RetainFrom(InputQueue::kNoMark);
  EXPECT_EQ(Before(queue_, 8, 4), "gone");
  EXPECT_EQ(Before(queue_, 10, 2), "ij");
}

constexpr char kFile[] = "0123456789";

bool ReadFile(std::intptr_t handle, std::uint64_t offset,
              std::span<std::uint8_t> to) noexcept {
  const std::string_view file(reinterpret_cast<const char*>(handle));
  if (offset + to.size() > file.size()) return false;
  std::copy_n(file.begin() + static_cast<std::ptrdiff_t>(offset), to.size(),
              to.begin());
  return true;
}

InputSource FileFrom(std::uint64_t offset) {
  return {ReadFile, reinterpret_cast<std::intptr_t>(kFile), offset};
}

// Reads what there is to read in the span at `offset`, and returns the span.
std::string ReadSpan(const InputQueue& queue, std::uint64_t offset) {
  const std::span<const std::uint8_t> span = queue.SpanAt(offset);
  const InputQueue::Unread unread = queue.UnreadAt(offset, span.size());
  if (!unread.bytes.empty() && !unread.source.Read(0, unread.bytes)) {
    return "unreadable";
  }
  return {span.begin(), span.end()};
}

TEST_F(InputQueueTest, BytesOfASourceAreReadLater) {
  EXPECT_EQ(queue_.AppendFrom(FileFrom(2), 6, 100, &status_), 6u);
  EXPECT_EQ(queue_.held(), 6u);
  EXPECT_EQ(ReadSpan(queue_, 0), "2345");
  EXPECT_EQ(ReadSpan(queue_, 5), "7");
  EXPECT_EQ(ReadSpan(queue_, 4), "67");
}

TEST_F(InputQueueTest, ASourceIsContinuedWhereItEnded) {
  queue_.AppendFrom(FileFrom(2), 1, 100, &status_);
  queue_.AppendFrom(FileFrom(3), 2, 100, &status_);
  EXPECT_EQ(queue_.UnreadAt(0, 3).bytes.size(), 3u);
  EXPECT_EQ(ReadSpan(queue_, 0), "234");
}

TEST_F(InputQueueTest, BytesAndSourcesShareBlocks) {
  Append("ab");
  queue_.AppendFrom(FileFrom(0), 1, 100, &status_);
  Append("c");
  queue_.AppendFrom(FileFrom(5), 1, 100, &status_);
  queue_.AppendFrom(FileFrom(8), 2, 100, &status_);  // is read at once
  Append("d");
  EXPECT_EQ(ReadSpan(queue_, 0), "ab0c");
  EXPECT_EQ(queue_.UnreadAt(4, 4).bytes.size(), 1u);
  EXPECT_EQ(ReadSpan(queue_, 4), "589d");
}

TEST_F(InputQueueTest, AnUnreadableSourceIsReported) {
  queue_.AppendFrom(FileFrom(0), 1, 100, &status_);
  queue_.AppendFrom(FileFrom(9), 2, 100, &status_);
  EXPECT_EQ(status_, Status::kInputFailed);
  queue_.AppendFrom(FileFrom(1), 20, 100, &status_);
  EXPECT_EQ(ReadSpan(queue_, 8), "unreadable");
}

TEST_F(InputQueueTest, MarksKeepTheirPlaces) {
  Append("ab");
  EXPECT_TRUE(queue_.MarkFlush());
  Append("cd");
  EXPECT_TRUE(queue_.MarkFlush());
  EXPECT_EQ(queue_.NextFlush(0), 2u);
  EXPECT_EQ(queue_.NextFlush(3), 4u);
  queue_.DropFlush(2);
  EXPECT_EQ(queue_.NextFlush(0), 4u);
  queue_.DropFlush(4);
  EXPECT_EQ(queue_.NextFlush(0), InputQueue::kNoMark);
}

TEST_F(InputQueueTest, TooManyMarksAreRefused) {
  int marks = 0;
  while (marks < 1000 && queue_.MarkFlush()) {
    Append("x");
    ++marks;
  }
  EXPECT_EQ(marks, 64);
}

}  // namespace
}  // namespace sidepress::engine
