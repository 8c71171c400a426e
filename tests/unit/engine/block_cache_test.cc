#include "compression_engine/block_cache.h"

#include <gtest/gtest.h>

namespace sidepress::engine {
namespace {

constexpr std::size_t kIdleLimit = 10'000;

class BlockCacheTest : public testing::Test {
 protected:
  HeapMemory heap_{100'000};
  BlockCache cache_{heap_, kIdleLimit};
};

TEST_F(BlockCacheTest, HandsOutABlockOfTheSameSizeAgain) {
  void* block = cache_.Allocate(4000);
  cache_.Free(block, 4000);
  EXPECT_EQ(cache_.idle(), 4000u);
  EXPECT_EQ(cache_.Allocate(4000), block);
  EXPECT_EQ(cache_.idle(), 0u);
  cache_.Free(block, 4000);
}

TEST_F(BlockCacheTest, KeepsSizesApart) {
  cache_.Free(cache_.Allocate(4000), 4000);
  void* other = cache_.Allocate(3000);
  EXPECT_EQ(cache_.idle(), 4000u);
  EXPECT_EQ(heap_.used(), 7000u);
  cache_.Free(other, 3000);
}

TEST_F(BlockCacheTest, KeepsNoMoreThanItsLimit) {
  void* first = cache_.Allocate(6000);
  void* second = cache_.Allocate(6000);
  cache_.Free(first, 6000);
  cache_.Free(second, 6000);
  EXPECT_EQ(cache_.idle(), 6000u);
  EXPECT_EQ(heap_.used(), 6000u);
  cache_.Free(cache_.Allocate(kIdleLimit + 1), kIdleLimit + 1);
  EXPECT_EQ(heap_.used(), 6000u);
}

TEST_F(BlockCacheTest, ASizeThatIsNotUsedAnyMoreMakesRoom) {
  for (std::size_t size = 100; size < 120; ++size) {
    cache_.Free(cache_.Allocate(size), size);
  }
  EXPECT_EQ(heap_.used(), cache_.idle());
  EXPECT_LT(cache_.idle(), 10u * 120);
  void* latest = cache_.Allocate(119);
  EXPECT_EQ(heap_.used(), cache_.idle() + 119);
  cache_.Free(latest, 119);
}

TEST_F(BlockCacheTest, IdleBlocksGoBeforeMemoryIsRefused) {
  cache_.Free(cache_.Allocate(9000), 9000);
  void* large = cache_.Allocate(95'000);
  EXPECT_NE(large, nullptr);
  EXPECT_EQ(cache_.idle(), 0u);
  EXPECT_EQ(cache_.Allocate(95'000), nullptr);
  cache_.Free(large, 95'000);
}

TEST_F(BlockCacheTest, TinyBlocksAreNotKept) {
  cache_.Free(cache_.Allocate(1), 1);
  EXPECT_EQ(heap_.used(), 0u);
}

TEST(BlockCache, GivesEverythingBackAtItsEnd) {
  HeapMemory heap{100'000};
  {
    BlockCache cache{heap, kIdleLimit};
    cache.Free(cache.Allocate(100), 100);
    cache.Free(cache.Allocate(200), 200);
    EXPECT_EQ(heap.used(), 300u);
  }
  EXPECT_EQ(heap.used(), 0u);
}

}  // namespace
}  // namespace sidepress::engine
