#include "compression_engine/arena.h"

#include <gtest/gtest.h>

#include <cstring>

namespace sidepress::engine {
namespace {

constexpr RetentionPolicy Policy(RetentionPolicy::Kind kind,
                                 std::size_t bound = 0) {
  return {kind, bound};
}

class ArenaTest : public testing::Test {
 protected:
  HeapMemory memory_{1 << 20};
  Arena arena_{memory_};
};

TEST_F(ArenaTest, HandsOutTheSameMemoryAgain) {
  void* first = arena_.Allocate(1000);
  arena_.Free(first);
  EXPECT_EQ(arena_.Allocate(900), first);
  arena_.Free(first);
}

TEST_F(ArenaTest, ASmallRequestDoesNotPinALargeBlock) {
  void* large = arena_.Allocate(100'000);
  arena_.Free(large);
  void* small = arena_.Allocate(100);
  EXPECT_NE(small, large);
  arena_.Free(small);
}

TEST_F(ArenaTest, PrefersTheBestFit) {
  void* loose = arena_.Allocate(1500);
  void* tight = arena_.Allocate(1010);
  arena_.Free(tight);
  arena_.Free(loose);
  EXPECT_EQ(arena_.Allocate(1000), tight);
  arena_.Free(tight);
}

TEST_F(ArenaTest, RefusalIsNull) {
  EXPECT_EQ(arena_.Allocate(2 << 20), nullptr);
  EXPECT_EQ(arena_.Allocate(SIZE_MAX), nullptr);
  EXPECT_EQ(arena_.held(), 0u);
}

TEST_F(ArenaTest, FreeOfNullIsNothing) { arena_.Free(nullptr); }

TEST_F(ArenaTest, FreeAllTakesEverythingBack) {
  static_cast<void>(arena_.Allocate(10));
  void* middle = arena_.Allocate(20);
  static_cast<void>(arena_.Allocate(30));
  arena_.Free(middle);
  arena_.FreeAll();
  arena_.Trim(Policy(RetentionPolicy::Kind::kReleaseAll));
  EXPECT_EQ(memory_.used(), 0u);
}

TEST_F(ArenaTest, AggressiveKeepsEverything) {
  arena_.Free(arena_.Allocate(5000));
  const std::size_t held = arena_.held();
  arena_.Trim(Policy(RetentionPolicy::Kind::kAggressive));
  arena_.Trim(Policy(RetentionPolicy::Kind::kAggressive));
  EXPECT_EQ(arena_.held(), held);
}

TEST_F(ArenaTest, CurrentConfigKeepsWhatTheLastRunUsed) {
  void* large = arena_.Allocate(50'000);
  void* small = arena_.Allocate(100);
  arena_.Free(large);
  arena_.Free(small);
  arena_.Trim(Policy(RetentionPolicy::Kind::kCurrentConfig));
  EXPECT_GT(arena_.held(), 50'000u);
  arena_.Free(arena_.Allocate(100));
  arena_.Trim(Policy(RetentionPolicy::Kind::kCurrentConfig));
  EXPECT_LT(arena_.held(), 1000u);
  EXPECT_GT(arena_.held(), 100u);
}

TEST_F(ArenaTest, BoundedKeepsAtMostTheBound) {
  void* blocks[4];
  for (void*& block : blocks) block = arena_.Allocate(10'000);
  for (void* block : blocks) arena_.Free(block);
  arena_.Trim(Policy(RetentionPolicy::Kind::kBounded, 25'000));
  EXPECT_LE(arena_.held(), 25'000u);
  EXPECT_GT(arena_.held(), 10'000u);
}

TEST(HeapMemory, RefusesBeyondItsLimit) {
  HeapMemory memory(100);
  void* first = memory.Allocate(60);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(memory.Allocate(41), nullptr);
  EXPECT_EQ(memory.used(), 60u);
  memory.Free(first, 60);
  EXPECT_EQ(memory.used(), 0u);
}

}  // namespace
}  // namespace sidepress::engine
