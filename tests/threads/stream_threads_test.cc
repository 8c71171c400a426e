// The engine on real threads; meant to run under ThreadSanitizer. The main
// thread is the event loop, as in a host.
#include <brotli/decode.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "brotli/brotli_codec.h"
#include "compression_engine/compressed_stream.h"
#include "model/simulated_host.h"

namespace sidepress::tests {
namespace {

using engine::CompressedStream;
using engine::SliceTask;

// A pool of threads with two queues, as NGINX's.
class RealExecutor final : public engine::Executor {
 public:
  explicit RealExecutor(unsigned threads) : capacity_(threads) {
    for (unsigned i = 0; i < threads; ++i) {
      threads_.emplace_back([this] { Work(); });
    }
  }
  ~RealExecutor() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    posted_changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  bool Post(SliceTask* task) noexcept override {
    {
      const std::lock_guard lock(mutex_);
      posted_.push_back(task);
    }
    posted_changed_.notify_one();
    return true;
  }
  unsigned Capacity() const noexcept override { return capacity_; }

  // Waits for completions and reports them, as a turn of the event loop.
  void Turn() {
    std::deque<SliceTask*> done;
    {
      std::unique_lock lock(mutex_);
      done_changed_.wait_for(lock, std::chrono::milliseconds(50),
                             [this] { return !done_.empty(); });
      done.swap(done_);
    }
    for (SliceTask* task : done) task->scheduler->Complete(task);
  }

 private:
  void Work() {
    while (true) {
      SliceTask* task = nullptr;
      {
        std::unique_lock lock(mutex_);
        posted_changed_.wait(lock,
                             [this] { return stopping_ || !posted_.empty(); });
        if (posted_.empty()) return;
        task = posted_.front();
        posted_.pop_front();
      }
      task->Run();
      {
        const std::lock_guard lock(mutex_);
        done_.push_back(task);
      }
      done_changed_.notify_one();
    }
  }

  const unsigned capacity_;
  std::mutex mutex_;
  std::condition_variable posted_changed_;
  std::condition_variable done_changed_;
  std::deque<SliceTask*> posted_;
  std::deque<SliceTask*> done_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

class Response final : public engine::StreamObserver {
 public:
  Response(unsigned seed, std::size_t size) {
    std::mt19937 random(seed);
    while (body_.size() < size) {
      body_ += std::to_string(random() % 5000) + ' ';
    }
  }

  void Open(const CompressedStream::Environment& shared,
            const engine::StreamOptions& options) {
    stream_ = CompressedStream::Create(
        {shared.encoders, shared.scheduler, shared.memory, *this}, options);
    OnProgress();
  }

  void Close() {
    if (stream_ != nullptr) stream_->Release();
    stream_ = nullptr;
  }

  void OnProgress() noexcept override {
    while (engine::OutputBlock* block = stream_->TakeOutput()) {
      received_.append(reinterpret_cast<char*>(block->data()), block->size);
      stream_->ReturnOutput(block);
    }
    if (fed_ == body_.size()) return;
    fed_ += stream_->Feed(
        {reinterpret_cast<const std::uint8_t*>(body_.data()) + fed_,
         body_.size() - fed_});
    if (fed_ == body_.size()) stream_->Finish();
  }

  bool ended() const { return stream_->ended(); }

  bool Exact() const {
    std::string decoded(body_.size(), '\0');
    std::size_t size = decoded.size();
    return BrotliDecoderDecompress(
               received_.size(),
               reinterpret_cast<const std::uint8_t*>(received_.data()), &size,
               reinterpret_cast<std::uint8_t*>(decoded.data())) ==
               BROTLI_DECODER_RESULT_SUCCESS &&
           decoded == body_;
  }

 private:
  std::string body_;
  std::string received_;
  std::size_t fed_ = 0;
  CompressedStream* stream_ = nullptr;
};

TEST(StreamThreads, ManyResponsesWithHelpersAndAborts) {
  constexpr unsigned kResponses = 60;
  const codecs::BrotliCodec codec;
  engine::HeapMemory memory(SIZE_MAX);
  {
    RealExecutor executor(4);
    engine::Scheduler scheduler(executor, executor);
    engine::EncoderCache cache(codec, memory, {});
    std::vector<std::unique_ptr<Response>> responses;
    std::mt19937 random(7);
    for (unsigned i = 0; i < kResponses; ++i) {
      responses.push_back(
          std::make_unique<Response>(i, random() % 600'000 + 1));
      engine::StreamOptions options;
      options.parameters.level = static_cast<int>(random() % 7);
      options.parameters.window_log = 18;
      options.parallel_tasks = i % 3 == 0 ? 4 : 1;
      options.segment_size = 64 * 1024;
      options.slice_size = 16 * 1024;
      options.retention.kind =
          static_cast<engine::RetentionPolicy::Kind>(i % 4);
      responses.back()->Open({cache, scheduler, memory, *responses.back()},
                             options);
      executor.Turn();
    }
    for (unsigned i = 0; i < kResponses; i += 5) responses[i]->Close();
    while (scheduler.running() + scheduler.queued() > 0) executor.Turn();
    for (unsigned i = 0; i < kResponses; ++i) {
      if (i % 5 == 0) continue;
      EXPECT_TRUE(responses[i]->ended()) << i;
      EXPECT_TRUE(responses[i]->Exact()) << i;
      responses[i]->Close();
    }
  }
  EXPECT_EQ(memory.used(), 0u);
}

}  // namespace
}  // namespace sidepress::tests
