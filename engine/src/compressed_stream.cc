#include "compression_engine/compressed_stream.h"

#include <algorithm>
#include <cassert>
#include <new>

namespace sidepress::engine {
namespace {

// Input that is copied in one turn of the event loop, beyond what the next
// slices need: about 0.1 ms of copying.
constexpr std::size_t kInputPerTurn = 256 * 1024;

// Slices of input at hand: one that runs, and one that follows at once.
constexpr std::size_t kSlicesAtHand = 2;

// The byte behind them that shows that the second is not the last: without it
// the slice would not be ready when the first completes, and its thread would
// go to a response that needs another encoder.
constexpr std::size_t kProofOfMore = 1;

}  // namespace

CompressedStream* CompressedStream::Create(
    const Environment& environment, const StreamOptions& options) noexcept {
  void* storage = environment.memory.Allocate(sizeof(CompressedStream));
  if (storage == nullptr) return nullptr;
  auto* stream = new (storage) CompressedStream(environment, options);
  if (stream->AddLane(0) == nullptr) {
    stream->Release();
    return nullptr;
  }
  return stream;
}

CompressedStream::CompressedStream(const Environment& environment,
                                   const StreamOptions& options) noexcept
    : environment_(environment),
      options_(options),
      cost_(environment.encoders.codec().EstimateCost(options.parameters)),
      most_lanes_(MostLanes(environment.encoders.codec(), options)),
      context_size_(
          environment.encoders.codec().ContextSize(options.parameters)),
      input_(environment.memory, options.slice_size) {}

CompressedStream::~CompressedStream() noexcept {
  while (head_ != nullptr) RetireHead();
  taken_.Clear(environment_.memory);
}

void CompressedStream::Release() noexcept {
  Pin();
  released_ = true;
  for (Lane* lane = head_; lane != nullptr; lane = lane->next) {
    environment_.scheduler.Withdraw(lane);
  }
  Unpin();
}

void CompressedStream::Unpin() noexcept {
  --pins_;
  if (!released_ || pins_ > 0) return;
  MemorySource& memory = environment_.memory;
  this->~CompressedStream();
  memory.Free(this, sizeof(CompressedStream));
}

// --- Input ----------------------------------------------------------------

// `append(taken, limit, status)` appends what follows the bytes taken so far.
template <typename Append>
std::size_t CompressedStream::Take(std::uint64_t size, Append append) noexcept {
  assert(!finishing_);
  if (failed()) return 0;
  // Cheap work that is done here makes room for more, and no completion comes
  // to ask for it.
  std::size_t taken = 0;
  while (true) {
    Status status = Status::kOk;
    const std::size_t more = append(taken, InputLimit(), &status);
    taken += more;
    // With input at hand a completion follows, and the host offers the rest
    // again; without any nothing would ever happen.
    const bool wait = status == Status::kOutOfMemory && input_.held() > 0;
    if (status != Status::kOk && !wait) Fail(status);
    Advance();
    if (more == 0 || taken == size || failed()) return taken;
  }
}

std::size_t CompressedStream::Feed(
    std::span<const std::uint8_t> bytes) noexcept {
  return Take(bytes.size(), [this, bytes](std::size_t taken, std::size_t limit,
                                          Status* status) noexcept {
    return input_.Append(bytes.subspan(taken), limit, status);
  });
}

std::size_t CompressedStream::FeedFrom(const InputSource& source,
                                       std::uint64_t size) noexcept {
  assert(takes_sources());
  return Take(size, [this, &source, size](std::size_t taken, std::size_t limit,
                                          Status* status) noexcept {
    InputSource rest = source;
    rest.offset += taken;
    return input_.AppendFrom(rest, size - taken, limit, status);
  });
}

std::size_t CompressedStream::InputLimit() const noexcept {
  const std::size_t needed = kSlicesAtHand * options_.slice_size + kProofOfMore;
  const bool may_help = MayOpenHelper();
  if (open_lanes_ == 1 && !may_help) return needed;
  const std::uint64_t start = may_help ? NextBoundary() : Reached();
  const std::uint64_t wanted = std::max(Reached(), start) + needed;
  const std::size_t ahead =
      wanted > input_.end() ? static_cast<std::size_t>(wanted - input_.end())
                            : 0;
  const std::size_t turn = std::max(turn_limit_, kInputPerTurn);
  return std::max(needed, std::min(input_.held() + ahead, turn));
}

bool CompressedStream::Flush() noexcept {
  assert(!finishing_);
  if (input_.end() == last_flush_) {
    // Nothing new; when the last flush is still under way, it will report.
    if (!buffered()) flush_output_ = true;
    return true;
  }
  if (!input_.MarkFlush()) return false;
  last_flush_ = input_.end();
  Advance();
  return true;
}

void CompressedStream::Finish() noexcept {
  finishing_ = true;
  Advance();
}

// --- Output ---------------------------------------------------------------

OutputBlock* CompressedStream::TakeOutput() noexcept {
  while (head_ != nullptr) {
    if (OutputBlock* block = head_->output.TakeFirst()) {
      taken_.Append(block);
      return block;
    }
    if (!head_->closed || head_->next == nullptr) break;
    RetireHead();
    if (head_->flushed) flush_output_ = true;
    Advance();  // the new head is more urgent than it was
  }
  return nullptr;
}

void CompressedStream::ReturnOutput(OutputBlock* block) noexcept {
  taken_.Remove(block);
  FreeOutputBlock(environment_.memory, block);
  Advance();
}

bool CompressedStream::TakeFlush() noexcept {
  const bool flush = flush_output_;
  flush_output_ = false;
  return flush;
}

bool CompressedStream::closed() const noexcept {
  return head_->closed && head_->next == nullptr;
}

bool CompressedStream::ended() const noexcept {
  return closed() && head_->output.empty();
}

bool CompressedStream::buffered() const noexcept {
  if (!taken_.empty()) return true;
  if (ended()) return false;
  return finishing_ || input_.held() > 0 || head_->next != nullptr ||
         head_->undecodable > 0 || head_->operation_pending || head_->running ||
         !head_->output.empty();
}

// --- Steps ----------------------------------------------------------------

void CompressedStream::Advance() noexcept {
  if (advancing_ || released_ || failed()) return;
  advancing_ = true;
  bool progress = true;
  while (progress && !failed()) {
    progress = false;
    for (Lane* lane = head_; lane != nullptr; lane = lane->next) {
      if (StepLane(*lane)) progress = true;
    }
    OpenHelpers();
  }
  advancing_ = false;
}

// Runs the next step when it is cheap, else sees to it that the lane is
// queued. Returns: whether a step was run.
bool CompressedStream::StepLane(Lane& lane) noexcept {
  Step step;
  if (failed() || lane.running || !PlanStep(lane, &step)) return false;
  Scheduler& scheduler = environment_.scheduler;
  if (!IsCheap(lane, step)) {
    const Urgency urgency = UrgencyOf(lane);
    if (lane.queued && lane.urgency == urgency) return false;
    scheduler.Withdraw(&lane);
    scheduler.Enqueue(&lane, urgency);
    return false;
  }
  scheduler.Withdraw(&lane);
  if (!PrepareTask(lane)) return false;
  lane.task.Run();
  AbsorbTask(lane);
  return true;
}

bool CompressedStream::PlanStep(const Lane& lane, Step* step) const noexcept {
  if (lane.closed || OutputRoom(lane) == 0) return false;
  if (!lane.operation_pending) return PlanNewStep(lane, step);
  step->size = lane.step_end - lane.position;
  step->operation = lane.task.operation;
  return true;
}

bool CompressedStream::PlanNewStep(const Lane& lane,
                                   Step* step) const noexcept {
  const std::uint64_t at_hand =
      lane.position + input_.SpanAt(lane.position).size();
  // A mark where the run starts is for the run before it.
  const std::uint64_t flush =
      input_.NextFlush(std::max(lane.position, lane.start + 1));
  // A helper's output waits; its share bounds it.
  const std::uint64_t allowed =
      &lane == head_ ? Lane::kOpenEnd : lane.start + LargestShare();
  const std::uint64_t end = std::min({at_hand, lane.end, flush, allowed});
  step->size = end - lane.position;
  if (end == lane.end) {
    step->operation = Operation::kEndRun;
  } else if (end == flush) {
    step->operation = Operation::kFlush;
  } else if (finishing_ && end == input_.end()) {
    step->operation = Operation::kEndStream;
  } else {
    // Whole slices only, and only once it is known that they are neither
    // flushed nor the last: output must not depend on when input arrives.
    step->operation = Operation::kProcess;
    return step->size > 0 && input_.end() > end &&
           (end == allowed || input_.SpanIsWhole(lane.position));
  }
  return true;
}

std::size_t CompressedStream::OutputRoom(const Lane& lane) const noexcept {
  if (&lane != head_) return options_.output_block_limit;
  const std::size_t held = taken_.count() + lane.output.count();
  return held < options_.output_block_limit ? options_.output_block_limit - held
                                            : 0;
}

// Blocks for what the encoder can write at most; few for a short response.
std::size_t CompressedStream::BlocksFor(const Lane& lane,
                                        const Step& step) const noexcept {
  const std::size_t bound = environment_.encoders.codec().OutputBound(
      static_cast<std::size_t>(lane.undecodable + step.size));
  return std::min(OutputRoom(lane), bound / options_.output_block_size + 1);
}

bool CompressedStream::IsCheap(const Lane& lane,
                               const Step& step) const noexcept {
  const std::uint64_t bytes = lane.undecodable + step.size;
  const std::uint64_t setup = lane.begun ? 0 : cost_.setup_ns;
  return setup + bytes * cost_.ns_per_byte <= options_.inline_limit_ns;
}

Urgency CompressedStream::UrgencyOf(const Lane& lane) const noexcept {
  if (&lane != head_) return Urgency::kHelper;
  const std::uint64_t total =
      finishing_ ? input_.end() : options_.parameters.known_length;
  if (total > 0 && total <= lane.position + options_.slice_size) {
    return Urgency::kShort;
  }
  return lane.slot != nullptr ? Urgency::kActive : Urgency::kNew;
}

bool CompressedStream::PrepareTask(Lane& lane) noexcept {
  Step step;
  if (failed() || !PlanStep(lane, &step)) return false;
  SliceTask& task = lane.task;
  if (lane.slot == nullptr) {
    lane.slot = environment_.encoders.Acquire(options_.reuse_encoders);
  }
  if (lane.slot == nullptr ||
      !task.empty.Fill(environment_.memory, options_.output_block_size,
                       BlocksFor(lane, step))) {
    Fail(Status::kOutOfMemory);
    return false;
  }
  task.slot = lane.slot;
  task.parameters = options_.parameters;
  task.retention = options_.retention;
  task.begin = !lane.begun;
  task.offset = lane.start;
  task.context = lane.context;
  task.input = input_.SpanAt(lane.position).data();
  task.input_size = static_cast<std::size_t>(step.size);
  task.operation = step.operation;
  lane.step_end = lane.position + step.size;
  const std::uint64_t unread = std::max(lane.position, lane.read_end);
  task.unread =
      unread < lane.step_end
          ? input_.UnreadAt(unread,
                            static_cast<std::size_t>(lane.step_end - unread))
          : InputQueue::Unread{};
  lane.read_end = lane.step_end;
  lane.begun = true;
  return true;
}

void CompressedStream::ShortenTask(Lane& lane) noexcept {
  SliceTask& task = lane.task;
  // An operation that has begun must be carried on with all of its input.
  if (lane.operation_pending) return;
  if (task.input_size <= options_.fallback_slice_size) return;
  task.input_size = options_.fallback_slice_size;
  task.operation = Operation::kProcess;
  lane.step_end = lane.position + task.input_size;
}

void CompressedStream::Absorb(Lane& lane) noexcept {
  AbsorbTask(lane);
  turn_limit_ = input_.held() + kInputPerTurn;
  Advance();
}

void CompressedStream::AbsorbTask(Lane& lane) noexcept {
  SliceTask& task = lane.task;
  for (OutputBlock* block = task.written.first(); block != nullptr;
       block = block->next) {
    bytes_out_ += block->size;
  }
  task.written.MoveTo(lane.output);
  input_.RetainFrom(ContextStart());
  input_.Consume(lane.position, task.consumed);
  lane.position += task.consumed;
  lane.undecodable += task.consumed;
  lane.operation_pending = !task.done;
  if (task.status != Status::kOk) {
    environment_.encoders.Release(lane.slot);
    lane.slot = nullptr;
    Fail(task.status);
  } else if (task.done) {
    CompleteOperation(lane);
  }
}

void CompressedStream::CompleteOperation(Lane& lane) noexcept {
  const Operation operation = lane.task.operation;
  if (operation == Operation::kProcess) return;
  lane.undecodable = 0;
  if (input_.NextFlush(lane.position) == lane.position) {
    input_.DropFlush(lane.position);
    (&lane == head_ ? flush_output_ : lane.flushed) = true;
  }
  if (operation == Operation::kFlush) return;
  lane.closed = true;
  lane.task.empty.Clear(environment_.memory);
  FreeContext(lane);
  environment_.encoders.Release(lane.slot);
  lane.slot = nullptr;
  --open_lanes_;
}

void CompressedStream::Fail(Status status) noexcept {
  if (failed()) return;
  status_ = status;
  for (Lane* lane = head_; lane != nullptr; lane = lane->next) {
    environment_.scheduler.Withdraw(lane);
  }
}

void CompressedStream::Notify() noexcept {
  if (!released_ && !advancing_) environment_.observer.OnProgress();
}

}  // namespace sidepress::engine
