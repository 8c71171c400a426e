#include "compression_engine/output_queue.h"

#include <gtest/gtest.h>

namespace sidepress::engine {
namespace {

TEST(OutputQueue, RemovesFromAnyPlace) {
  HeapMemory memory(10'000);
  OutputQueue queue;
  ASSERT_TRUE(queue.Fill(memory, 16, 3));
  OutputBlock* first = queue.first();
  OutputBlock* second = first->next;
  OutputBlock* third = second->next;
  queue.Remove(third);
  queue.Append(third);
  queue.Remove(second);
  EXPECT_EQ(queue.count(), 2u);
  EXPECT_EQ(queue.TakeFirst(), first);
  EXPECT_EQ(queue.TakeFirst(), third);
  EXPECT_EQ(queue.TakeFirst(), nullptr);
  for (OutputBlock* block : {first, second, third}) {
    FreeOutputBlock(memory, block);
  }
  EXPECT_EQ(memory.used(), 0u);
}

TEST(OutputQueue, MovesInOrder) {
  HeapMemory memory(10'000);
  OutputQueue from;
  OutputQueue to;
  ASSERT_TRUE(to.Fill(memory, 16, 1));
  ASSERT_TRUE(from.Fill(memory, 16, 2));
  OutputBlock* moved = from.first();
  from.MoveTo(to);
  EXPECT_TRUE(from.empty());
  EXPECT_EQ(to.count(), 3u);
  EXPECT_EQ(to.first()->next, moved);
  from.MoveTo(to);
  EXPECT_EQ(to.count(), 3u);
  to.Clear(memory);
}

TEST(OutputQueue, FillReportsWhetherThereIsAny) {
  HeapMemory memory(sizeof(OutputBlock) + 16);
  OutputQueue queue;
  EXPECT_TRUE(queue.Fill(memory, 16, 5));
  EXPECT_EQ(queue.count(), 1u);
  OutputQueue none;
  EXPECT_FALSE(none.Fill(memory, 16, 1));
  queue.Clear(memory);
}

TEST(OutputBlock, IsFoundByItsData) {
  HeapMemory memory(1000);
  OutputQueue queue;
  ASSERT_TRUE(queue.Fill(memory, 16, 1));
  EXPECT_EQ(OutputBlock::FromData(queue.first()->data()), queue.first());
  queue.Clear(memory);
}

}  // namespace
}  // namespace sidepress::engine
