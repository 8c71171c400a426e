#include "model/sequence.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "model/simulated_host.h"

namespace sidepress::tests {
namespace {

using engine::CompressedStream;
using engine::OutputBlock;

std::size_t Pick(std::mt19937& random, std::size_t low, std::size_t high) {
  return low + random() % (high - low + 1);
}

std::string MakeBody(std::mt19937& random, std::size_t size) {
  std::string body;
  while (body.size() < size) {
    if (body.size() > 40 && random() % 3 == 0) {
      const std::size_t from = random() % (body.size() - 20);
      body += body.substr(from, Pick(random, 4, 20));
    } else {
      body += static_cast<char>(random() % 64 + 32);
    }
  }
  body.resize(size);
  return body;
}

engine::StreamOptions MakeOptions(std::mt19937& random,
                                  const CodecUnderTest& subject,
                                  std::size_t body_size) {
  engine::StreamOptions options;
  options.parameters.level = subject.level;
  options.parameters.window_log = static_cast<int>(Pick(random, 10, 18));
  if (random() % 2 == 0) options.parameters.known_length = body_size;
  options.retention.kind =
      static_cast<engine::RetentionPolicy::Kind>(random() % 4);
  options.retention.bound = Pick(random, 0, 1 << 20);
  options.reuse_encoders = random() % 4 != 0;
  options.slice_size = Pick(random, 16, 128) * subject.scale;
  options.fallback_slice_size = Pick(random, 8, 128) * subject.scale;
  options.output_block_size = Pick(random, 1, 64) * subject.scale;
  options.output_block_limit = Pick(random, 1, 8);
  options.segment_size =
      std::max(options.slice_size, Pick(random, 64, 256) * subject.scale);
  options.parallel_tasks = static_cast<unsigned>(Pick(random, 1, 5));
  options.inline_limit_ns = random() % 3 == 0 ? Pick(random, 0, 60'000'000) : 0;
  return options;
}

// A response, the client that reads it, and what is expected of both.
class Response final : public engine::StreamObserver {
 public:
  // `original` outlives every task.
  Response(std::mt19937& random, const CodecUnderTest& subject,
           const std::string& original)
      : body(original),
        options(MakeOptions(random, subject, original.size())),
        subject_(subject) {}

  void OnProgress() noexcept override { ++notifications; }

  void FeedSome(std::mt19937& random) {
    if (finished || fed == body.size()) return;
    const std::size_t size =
        Pick(random, 1,
             std::min<std::size_t>(
                 body.size() - fed,
                 random() % 4 == 0 ? body.size() : 2 * options.slice_size));
    if (stream->takes_sources() && random() % 2 == 0) {
      fed += stream->FeedFrom(
          {ReadBody, reinterpret_cast<std::intptr_t>(&body), fed}, size);
      return;
    }
    fed += stream->Feed(
        {reinterpret_cast<const std::uint8_t*>(body.data()) + fed, size});
  }

  static bool ReadBody(std::intptr_t handle, std::uint64_t offset,
                       std::span<std::uint8_t> to) noexcept {
    const auto& bytes = *reinterpret_cast<const std::string*>(handle);
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), to.size(),
                to.begin());
    return true;
  }

  void FlushHere() {
    if (!finished && stream->Flush()) {
      if (fed > 0 && (flushes.empty() || flushes.back() != fed)) {
        flushes.push_back(fed);
      }
    }
  }

  void FinishWhenFed() {
    if (finished || fed < body.size()) return;
    finished = true;
    stream->Finish();
  }

  // The client reads up to `count` blocks and returns up to as many.
  void Read(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      OutputBlock* block = stream->TakeOutput();
      if (block == nullptr) break;
      received.append(reinterpret_cast<char*>(block->data()), block->size);
      unreturned.push_back(block);
    }
    for (std::size_t i = 0; i < count && !unreturned.empty(); ++i) {
      stream->ReturnOutput(unreturned.front());
      unreturned.pop_front();
    }
  }

  std::string Check() const {
    const Decoded decoded = subject_.decode(received);
    if (!decoded.valid) return "the stream is malformed";
    if (body.compare(0, decoded.bytes.size(), decoded.bytes) != 0) {
      return "what is decoded is no prefix of the original";
    }
    const bool complete = stream->ended() && !stream->failed();
    if (decoded.ended != complete) return "the end mark is wrong";
    if (complete && decoded.bytes.size() != body.size()) {
      return "bytes are missing at the end";
    }
    return "";
  }

  const std::string& body;
  const engine::StreamOptions options;
  CompressedStream* stream = nullptr;
  std::size_t fed = 0;
  bool finished = false;
  std::string received;
  std::vector<std::size_t> flushes;
  std::deque<OutputBlock*> unreturned;
  unsigned notifications = 0;

 private:
  const CodecUnderTest& subject_;
};

class Sequence {
 public:
  Sequence(std::uint32_t seed, const CodecUnderTest& subject)
      : random_(seed),
        subject_(subject),
        memory_(random_),
        pool_(random_),
        loop_(random_),
        scheduler_(pool_, loop_) {
    pool_.capacity = static_cast<unsigned>(Pick(random_, 1, 4));
    pool_.refuse_one_in = random_() % 4 == 0 ? 5 : 0;
    memory_.refuse_one_in = random_() % 4 == 0 ? 60 : 0;
    cache_.emplace(
        subject.codec, memory_,
        engine::EncoderCacheLimits{static_cast<unsigned>(Pick(random_, 0, 3)),
                                   static_cast<unsigned>(Pick(random_, 0, 6))});
  }

  Outcome Run() {
    Open();
    const std::size_t steps = Pick(random_, 5, 150);
    for (std::size_t i = 0; i < steps && outcome_.error.empty(); ++i) Step();
    for (auto& response : responses_) {
      if (outcome_.error.empty()) Complete(*response);
    }
    CloseAll();
    return outcome_;
  }

 private:
  void Open() {
    for (std::size_t i = Pick(random_, 1, 4); i > 0; --i) {
      const std::size_t size = Pick(random_, 0, 2000) * subject_.scale;
      const std::string& body = bodies_.emplace_back(MakeBody(random_, size));
      auto response = std::make_unique<Response>(random_, subject_, body);
      response->stream = CompressedStream::Create(
          {*cache_, scheduler_, memory_, *response}, response->options);
      if (response->stream != nullptr) {
        responses_.push_back(std::move(response));
      }
    }
  }

  void Step() {
    if (responses_.empty()) return;
    const std::size_t i = random_() % responses_.size();
    Response& response = *responses_[i];
    switch (random_() % 12) {
      case 0:
        response.FlushHere();
        break;
      case 1:
        response.FinishWhenFed();
        break;
      case 2:
        if (random_() % 40 == 0) Cancel(i);
        break;
      case 3:
      case 4:
        response.Read(Pick(random_, 1, 6));
        break;
      case 5:
      case 6:
      case 7:
        CompleteTask();
        break;
      case 8:
        if (random_() % 10 == 0) CheckFlush(response);
        break;
      default:
        response.FeedSome(random_);
    }
  }

  bool CompleteTask() {
    const bool from_loop = random_() % 2 == 0;
    SteppedExecutor& first = from_loop ? loop_ : pool_;
    SteppedExecutor& second = from_loop ? pool_ : loop_;
    return first.CompleteOne(scheduler_) || second.CompleteOne(scheduler_);
  }

  void Cancel(std::size_t i) {
    Judge(*responses_[i]);
    responses_[i]->stream->Release();
    responses_.erase(responses_.begin() + static_cast<std::ptrdiff_t>(i));
    ++outcome_.cancelled;
  }

  // Lets everything run until nothing changes any more.
  void Settle(Response& response) {
    for (bool progress = true; progress;) {
      const std::size_t before =
          response.received.size() + response.unreturned.size();
      progress = CompleteTask();
      response.Read(100);
      progress |=
          response.received.size() + response.unreturned.size() != before;
    }
  }

  // What was flushed is decodable once everything at hand was done.
  void CheckFlush(Response& response) {
    response.FlushHere();
    if (response.flushes.empty()) return;
    for (auto& other : responses_) other->Read(1000);
    Settle(response);
    if (response.stream->failed()) return;
    const Decoded decoded = subject_.decode(response.received);
    if (decoded.bytes.size() < response.flushes.back()) {
      outcome_.error = "a flush left bytes undecodable";
    }
  }

  void Complete(Response& response) {
    // Far more turns than any body needs: only a stuck stream uses them up.
    for (int turn = 0; turn < 200'000; ++turn) {
      if (response.stream->failed() || response.stream->ended()) break;
      response.FeedSome(random_);
      response.FinishWhenFed();
      CompleteTask();
      response.Read(Pick(random_, 1, 10));
    }
    outcome_.runs += response.stream->runs();
    Judge(response);
    if (response.stream->failed()) {
      ++outcome_.failed;
      if (memory_.refused == 0) outcome_.error = "failed without a reason";
    } else if (!response.stream->ended()) {
      outcome_.error = "the stream is stuck";
    } else {
      ++outcome_.completed;
      CheckDeterminism(response);
    }
  }

  void Judge(const Response& response) {
    if (outcome_.error.empty()) outcome_.error = response.Check();
  }

  // With one lane the bytes depend on input, parameters and flushes only.
  void CheckDeterminism(const Response& response);

  void CloseAll() {
    for (auto& response : responses_) response->stream->Release();
    while (CompleteTask()) {
    }
    if (scheduler_.queued() != 0 || scheduler_.running() != 0) {
      outcome_.error = "work is left in the scheduler";
    }
    if (cache_->in_use() != 0) outcome_.error = "an encoder was lost";
    cache_.reset();
    if (memory_.held != 0) outcome_.error = "memory was lost";
  }

  std::mt19937 random_;
  const CodecUnderTest& subject_;
  UnreliableMemory memory_;
  SteppedExecutor pool_;
  SteppedExecutor loop_;
  engine::Scheduler scheduler_;
  std::optional<engine::EncoderCache> cache_;
  std::deque<std::string> bodies_;
  std::vector<std::unique_ptr<Response>> responses_;
  Outcome outcome_;
};

class Nobody final : public engine::StreamObserver {
 public:
  void OnProgress() noexcept override {}
};

// The reference: everything inline, output taken at once.
std::string CompressPlainly(const CodecUnderTest& subject,
                            const Response& response) {
  std::mt19937 random(1);
  UnreliableMemory memory(random);
  SteppedExecutor executor(random);
  engine::Scheduler scheduler(executor, executor);
  engine::EncoderCache cache(subject.codec, memory, {});
  Nobody nobody;
  engine::StreamOptions options = response.options;
  options.inline_limit_ns = UINT64_MAX;
  options.parallel_tasks = 1;
  options.output_block_size = 1000;
  options.output_block_limit = 10;
  CompressedStream* stream =
      CompressedStream::Create({cache, scheduler, memory, nobody}, options);
  std::string output;
  const auto drain = [&] {
    while (OutputBlock* block = stream->TakeOutput()) {
      output.append(reinterpret_cast<char*>(block->data()), block->size);
      stream->ReturnOutput(block);
    }
  };
  std::size_t fed = 0;
  const auto feed_to = [&](std::size_t end) {
    while (fed < end) {
      fed += stream->Feed(
          {reinterpret_cast<const std::uint8_t*>(response.body.data()) + fed,
           end - fed});
      drain();
    }
  };
  for (std::size_t flush : response.flushes) {
    feed_to(flush);
    static_cast<void>(stream->Flush());
    drain();
  }
  feed_to(response.body.size());
  stream->Finish();
  drain();
  stream->Release();
  return output;
}

void Sequence::CheckDeterminism(const Response& response) {
  if (response.stream->runs() > 1 || memory_.refused > 0) return;
  // Brotli levels 0 and 1 compress each piece of input by itself.
  if (scheduler_.refused() > 0 &&
      response.options.fallback_slice_size < response.options.slice_size) {
    return;
  }
  if (CompressPlainly(subject_, response) != response.received) {
    outcome_.error = "the bytes depend on the schedule";
  }
}

}  // namespace

Outcome RunSequence(std::uint32_t seed, const CodecUnderTest& subject) {
  return Sequence(seed, subject).Run();
}

}  // namespace sidepress::tests
