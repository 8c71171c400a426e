// P2, P3 and back pressure; that bytes are right is the model test's matter.
#include "compression_engine/compressed_stream.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "model/simulated_host.h"
#include "model/toy_codec.h"

namespace sidepress::engine {
namespace {

class CompressedStreamTest : public testing::Test, public StreamObserver {
 protected:
  CompressedStreamTest() {
    options_.slice_size = 100;
    options_.segment_size = 400;
    options_.output_block_size = 64;
    options_.inline_limit_ns = 0;
    pool_.capacity = 4;
  }
  ~CompressedStreamTest() override {
    if (stream_ != nullptr) stream_->Release();
    while (pool_.CompleteOne(scheduler_)) {
    }
  }

  void OnProgress() noexcept override { ++notified_; }

  void Open() {
    stream_ = CompressedStream::Create({cache_, scheduler_, memory_, *this},
                                       options_);
    ASSERT_NE(stream_, nullptr);
  }

  std::size_t Feed(std::size_t size) {
    const std::string bytes(size, 'y');
    return stream_->Feed(
        {reinterpret_cast<const std::uint8_t*>(bytes.data()), size});
  }

  // Feeds all of the known length that is taken, until the first completion.
  void FeedUpToFirstOutput() {
    const std::size_t known = options_.parameters.known_length;
    const std::size_t taken = Feed(known);
    pool_.CompleteOne(scheduler_);
    Feed(known - taken);
  }

  std::string Take() {
    std::string output;
    while (OutputBlock* block = stream_->TakeOutput()) {
      output.append(reinterpret_cast<char*>(block->data()), block->size);
      stream_->ReturnOutput(block);
    }
    return output;
  }

  std::mt19937 random_{1};
  tests::ToyCodec codec_;
  HeapMemory memory_{1 << 20};
  tests::SteppedExecutor pool_{random_};
  Scheduler scheduler_{pool_, pool_};
  EncoderCache cache_{codec_, memory_, {}};
  StreamOptions options_;
  CompressedStream* stream_ = nullptr;
  int notified_ = 0;
};

TEST_F(CompressedStreamTest, CheapWorkIsDoneWithoutAHandOver) {
  options_.inline_limit_ns = 100'000'000;  // 100 bytes at the toy's 1 ms each
  Open();
  Feed(50);
  stream_->Finish();
  EXPECT_TRUE(pool_.posted.empty());
  const tests::Decoded decoded = tests::DecodeToy(Take());
  EXPECT_TRUE(decoded.ended);
  EXPECT_EQ(decoded.bytes.size(), 50u);
  EXPECT_EQ(notified_, 0);
}

// No completion would come to ask for the rest.
TEST_F(CompressedStreamTest, WhatCheapWorkMakesRoomForIsTaken) {
  options_.inline_limit_ns = UINT64_MAX;
  Open();
  EXPECT_EQ(Feed(1'000), 1'000u);
  EXPECT_TRUE(pool_.posted.empty());
}

TEST_F(CompressedStreamTest, CostlyWorkIsHandedOver) {
  options_.inline_limit_ns = 10'000'000;
  Open();
  Feed(50);
  stream_->Finish();
  EXPECT_EQ(pool_.posted.size(), 1u);
  EXPECT_EQ(Take(), "");
  pool_.CompleteOne(scheduler_);
  EXPECT_EQ(notified_, 1);
  EXPECT_TRUE(tests::DecodeToy(Take()).ended);
}

TEST_F(CompressedStreamTest, InputIsHeldToTwoSlicesAndTheNextByte) {
  Open();
  EXPECT_EQ(Feed(1'000), 201u);
  EXPECT_EQ(Feed(1'000), 0u);
  pool_.CompleteOne(scheduler_);
  EXPECT_EQ(Feed(1'000), 100u);
}

TEST_F(CompressedStreamTest, TheNextSliceIsReadyWhenOneCompletes) {
  Open();
  Feed(1'000);
  ASSERT_EQ(pool_.posted.size(), 1u);
  pool_.CompleteOne(scheduler_);
  EXPECT_EQ(pool_.posted.size(), 1u);
}

TEST_F(CompressedStreamTest, AStalledClientStopsTheWork) {
  options_.output_block_limit = 2;
  Open();
  while (true) {
    Feed(200);
    if (!pool_.CompleteOne(scheduler_)) break;
  }
  std::size_t held = 0;
  while (OutputBlock* block = stream_->TakeOutput()) held += block->size;
  EXPECT_LE(held, 2u * 64u);
  EXPECT_TRUE(stream_->output_full());
  EXPECT_EQ(scheduler_.queued() + scheduler_.running(), 0u);
}

TEST_F(CompressedStreamTest, HelpersOpenWhileThreadsAreIdle) {
  options_.parallel_tasks = 3;
  options_.parameters.known_length = 2'000;
  Open();
  FeedUpToFirstOutput();
  EXPECT_EQ(stream_->runs(), 3u);
  EXPECT_EQ(pool_.posted.size(), 3u);
}

// It would slow the head lane down, and the client sees its output first.
TEST_F(CompressedStreamTest, NoHelperBeforeTheFirstOutput) {
  options_.parallel_tasks = 3;
  options_.parameters.known_length = 2'000;
  Open();
  Feed(2'000);
  EXPECT_EQ(stream_->runs(), 1u);
}

TEST_F(CompressedStreamTest, InputIsRetainedOnlyBesideAnIdleThread) {
  options_.parameters.known_length = 2'000;
  const auto used_with = [this](unsigned tasks, unsigned threads) {
    options_.parallel_tasks = tasks;
    pool_.capacity = threads;
    Open();
    for (int i = 0; i < 3; ++i) {
      Feed(200);
      pool_.CompleteOne(scheduler_);
      Take();
    }
    const std::size_t used = memory_.used();
    stream_->Release();
    stream_ = nullptr;
    while (pool_.CompleteOne(scheduler_)) {
    }
    return used;
  };
  used_with(1, 1);  // the encoder is kept from here on
  EXPECT_EQ(used_with(3, 1), used_with(1, 1));
  EXPECT_GT(used_with(3, 2), used_with(1, 1));
}

TEST_F(CompressedStreamTest, NoHelperWithoutAnIdleThread) {
  options_.parallel_tasks = 3;
  options_.parameters.known_length = 2'000;
  pool_.capacity = 1;
  Open();
  FeedUpToFirstOutput();
  EXPECT_EQ(stream_->runs(), 1u);
}

TEST_F(CompressedStreamTest, NoHelperForLessThanASegment) {
  options_.parallel_tasks = 3;
  options_.parameters.known_length = 420;
  Open();
  FeedUpToFirstOutput();
  EXPECT_EQ(stream_->runs(), 1u);
}

TEST_F(CompressedStreamTest, LanesEndAtAboutTheSameTime) {
  options_.parallel_tasks = 2;
  options_.parameters.known_length = 3'000;
  pool_.capacity = 2;
  Open();
  FeedUpToFirstOutput();
  ASSERT_EQ(pool_.posted.size(), 2u);
  // The multiple of 400 that is nearest to the middle of what is left.
  EXPECT_EQ(pool_.posted[1]->offset, 1'600u);
}

TEST_F(CompressedStreamTest, AHelperStopsAtItsShareUntilItIsTheHead) {
  options_.parallel_tasks = 2;
  options_.parameters.known_length = 8'000;
  pool_.capacity = 2;
  Open();
  FeedUpToFirstOutput();
  ASSERT_EQ(pool_.posted.size(), 2u);
  // The helper alone runs: its share is four segments of four slices.
  SliceTask* head = pool_.posted[0];
  int helper_tasks = 0;
  while (true) {
    std::erase(pool_.posted, head);
    if (!pool_.CompleteOne(scheduler_)) break;
    ++helper_tasks;
    Feed(4'000);
  }
  EXPECT_EQ(helper_tasks, 16);
  pool_.posted.push_back(head);
}

TEST_F(CompressedStreamTest, AFlushWithNothingNewIsReportedAtOnce) {
  Open();
  EXPECT_TRUE(stream_->Flush());
  EXPECT_TRUE(stream_->TakeFlush());
  EXPECT_FALSE(stream_->TakeFlush());
  EXPECT_FALSE(stream_->buffered());
}

TEST_F(CompressedStreamTest, BufferedUntilFlushedAndReturned) {
  Open();
  Feed(10);
  EXPECT_TRUE(stream_->buffered());
  EXPECT_TRUE(stream_->Flush());
  pool_.CompleteOne(scheduler_);
  EXPECT_TRUE(stream_->TakeFlush());
  EXPECT_TRUE(stream_->buffered());
  Take();
  EXPECT_FALSE(stream_->buffered());
}

TEST_F(CompressedStreamTest, ReleaseWhileATaskRunsIsSafe) {
  Open();
  Feed(200);
  ASSERT_EQ(pool_.posted.size(), 1u);
  stream_->Release();
  stream_ = nullptr;
  EXPECT_GT(memory_.used(), 0u);
  pool_.CompleteOne(scheduler_);
  EXPECT_EQ(notified_, 0);
  EXPECT_EQ(cache_.in_use(), 0u);
}

TEST_F(CompressedStreamTest, AnUnreadableSourceFailsTheStream) {
  Open();
  ASSERT_TRUE(stream_->takes_sources());
  const auto unreadable = [](std::intptr_t, std::uint64_t,
                             std::span<std::uint8_t>) noexcept {
    return false;
  };
  stream_->FeedFrom({unreadable, 0, 0}, 150);
  stream_->Finish();
  EXPECT_FALSE(stream_->failed());
  pool_.CompleteOne(scheduler_);
  EXPECT_EQ(stream_->status(), Status::kInputFailed);
  EXPECT_EQ(Take(), "");
}

TEST_F(CompressedStreamTest, RefusedMemoryFailsTheStream) {
  HeapMemory scarce(2'000);
  options_.slice_size = 5'000;
  CompressedStream* stream =
      CompressedStream::Create({cache_, scheduler_, scarce, *this}, options_);
  ASSERT_NE(stream, nullptr);
  const std::uint8_t byte = 0;
  EXPECT_EQ(stream->Feed({&byte, 1}), 0u);
  EXPECT_EQ(stream->status(), Status::kOutOfMemory);
  stream->Release();
  EXPECT_EQ(scarce.used(), 0u);
}

}  // namespace
}  // namespace sidepress::engine
