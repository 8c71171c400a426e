// P4: what can be sent soonest goes first, and nothing starves.
#include "compression_engine/scheduler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "model/simulated_host.h"
#include "model/toy_codec.h"

namespace sidepress::engine {
namespace {

// A response that is fed completely and read at once.
class Client final : public StreamObserver {
 public:
  Client(const CompressedStream::Environment& shared, std::size_t size,
         StreamOptions options)
      : body_(size, 'x') {
    options.parameters.known_length = size;
    stream = CompressedStream::Create(
        {shared.encoders, shared.scheduler, shared.memory, *this}, options);
    OnProgress();
  }
  ~Client() { stream->Release(); }

  void OnProgress() noexcept override {
    while (OutputBlock* block = stream->TakeOutput()) {
      stream->ReturnOutput(block);
    }
    if (fed_ < body_.size()) {
      fed_ += stream->Feed(
          {reinterpret_cast<const std::uint8_t*>(body_.data()) + fed_,
           body_.size() - fed_});
      if (fed_ == body_.size()) stream->Finish();
    }
  }

  CompressedStream* stream;

 private:
  std::string body_;
  std::size_t fed_ = 0;
};

class SchedulerTest : public testing::Test, public StreamObserver {
 protected:
  void OnProgress() noexcept override {}

  Client& Open(std::size_t size) {
    clients_.push_back(std::make_unique<Client>(
        CompressedStream::Environment{cache_, scheduler_, memory_, *this}, size,
        options_));
    return *clients_.back();
  }

  // Tasks that complete until `client` has all its output.
  int TasksUntilEnd(const Client& client) {
    int tasks = 0;
    while (!client.stream->ended() && pool_.CompleteOne(scheduler_)) ++tasks;
    return tasks;
  }

  void TearDown() override {
    clients_.clear();
    while (pool_.CompleteOne(scheduler_)) {
    }
  }

  std::mt19937 random_{1};
  tests::ToyCodec codec_;
  HeapMemory memory_{64 << 20};
  tests::SteppedExecutor pool_{random_};
  Scheduler scheduler_{pool_, pool_};
  EncoderCache cache_{codec_, memory_, {}};
  StreamOptions options_ = [] {
    StreamOptions options;
    options.slice_size = 100;
    options.inline_limit_ns = 0;
    return options;
  }();
  std::deque<std::unique_ptr<Client>> clients_;
};

TEST_F(SchedulerTest, AShortResponseWaitsForOneSlicePerThread) {
  pool_.capacity = 2;
  for (int i = 0; i < 50; ++i) Open(100'000);
  for (int i = 0; i < 20; ++i) pool_.CompleteOne(scheduler_);
  Client& small = Open(80);
  EXPECT_LE(TasksUntilEnd(small), 4);
}

TEST_F(SchedulerTest, EncodersInUseStayNearTheNumberOfThreads) {
  pool_.capacity = 2;
  for (int i = 0; i < 50; ++i) Open(100'000);
  unsigned most = 0;
  for (int i = 0; i < 300; ++i) {
    pool_.CompleteOne(scheduler_);
    most = std::max(most, cache_.in_use());
  }
  // Without patience it would be 2; one more is let in every 256 tasks.
  EXPECT_LE(most, 2u + 300 / 256);
}

TEST_F(SchedulerTest, ALongResponseIsNotStarvedByShortOnes) {
  pool_.capacity = 1;
  Client& large = Open(3'000);
  int tasks = 0;
  while (!large.stream->ended() && tasks < 5'000) {
    while (scheduler_.queued() < 5) Open(50);
    pool_.CompleteOne(scheduler_);
    ++tasks;
  }
  EXPECT_TRUE(large.stream->ended());
}

TEST_F(SchedulerTest, AWaitingResponseIsNotStarvedByEndlessOnes) {
  pool_.capacity = 1;
  Open(10'000'000);
  pool_.CompleteOne(scheduler_);
  Client& later = Open(1'000);
  EXPECT_LT(TasksUntilEnd(later), 1'000);
  EXPECT_TRUE(later.stream->ended());
}

TEST_F(SchedulerTest, AbortedWorkIsDroppedUnrun) {
  pool_.capacity = 1;
  Open(1'000);
  for (int i = 0; i < 10; ++i) Open(1'000);
  EXPECT_EQ(scheduler_.queued(), 10u);
  clients_.clear();
  EXPECT_EQ(scheduler_.queued(), 0u);
  EXPECT_EQ(scheduler_.running(), 1u);
}

TEST_F(SchedulerTest, RefusedTasksRunOnTheFallback) {
  tests::SteppedExecutor refusing{random_};
  refusing.refuse_one_in = 1;
  tests::SteppedExecutor loop{random_};
  Scheduler scheduler(refusing, loop);
  Client client({cache_, scheduler, memory_, *this}, 1'000, options_);
  while (loop.CompleteOne(scheduler)) {
  }
  EXPECT_TRUE(client.stream->ended());
  EXPECT_GT(scheduler.refused(), 0u);
}

TEST_F(SchedulerTest, RefusedTasksAreShortened) {
  tests::SteppedExecutor refusing{random_};
  refusing.refuse_one_in = 1;
  tests::SteppedExecutor loop{random_};
  Scheduler scheduler(refusing, loop);
  options_.fallback_slice_size = 30;
  Client client({cache_, scheduler, memory_, *this}, 1'000, options_);
  while (!loop.posted.empty()) {
    EXPECT_LE(loop.posted.front()->input_size, 30u);
    loop.CompleteOne(scheduler);
  }
  EXPECT_TRUE(client.stream->ended());
}

}  // namespace
}  // namespace sidepress::engine
