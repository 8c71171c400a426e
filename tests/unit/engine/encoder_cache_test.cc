#include "compression_engine/encoder_cache.h"

#include <gtest/gtest.h>

#include "model/toy_codec.h"

namespace sidepress::engine {
namespace {

class EncoderCacheTest : public testing::Test {
 protected:
  tests::ToyCodec codec_;
  HeapMemory memory_{1 << 20};
};

TEST_F(EncoderCacheTest, TheLastReleasedIsTheNextAcquired) {
  EncoderCache cache(codec_, memory_, {2, 2});
  EncoderSlot* first = cache.Acquire(true);
  EncoderSlot* second = cache.Acquire(true);
  EXPECT_EQ(cache.in_use(), 2u);
  cache.Release(first);
  cache.Release(second);
  EXPECT_EQ(cache.idle(), 2u);
  EXPECT_EQ(cache.Acquire(true), second);
  cache.Release(second);
}

TEST_F(EncoderCacheTest, KeepsNoMoreIdleThanItsLimit) {
  EncoderCache cache(codec_, memory_, {1, 4});
  EncoderSlot* first = cache.Acquire(true);
  EncoderSlot* second = cache.Acquire(true);
  cache.Release(first);
  cache.Release(second);
  EXPECT_EQ(cache.idle(), 1u);
}

TEST_F(EncoderCacheTest, KeepsNoMoreForReuseThanItsLimit) {
  EncoderCache cache(codec_, memory_, {4, 1});
  EncoderSlot* kept = cache.Acquire(true);
  EncoderSlot* other = cache.Acquire(true);
  cache.Release(other);
  EXPECT_EQ(cache.idle(), 0u);
  cache.Release(kept);
  EXPECT_EQ(cache.idle(), 1u);
}

TEST_F(EncoderCacheTest, WithoutReuseNothingIsKept) {
  EncoderCache cache(codec_, memory_, {4, 4});
  cache.Release(cache.Acquire(false));
  EXPECT_EQ(cache.idle(), 0u);
  EXPECT_EQ(memory_.used(), 0u);
}

TEST_F(EncoderCacheTest, RefusalIsNull) {
  HeapMemory nothing(1);
  EncoderCache cache(codec_, nothing, {});
  EXPECT_EQ(cache.Acquire(true), nullptr);
  EXPECT_EQ(cache.in_use(), 0u);
}

}  // namespace
}  // namespace sidepress::engine
