// The piece of work that one thread does before it reports back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "compression_engine/encoder_cache.h"
#include "compression_engine/input_queue.h"
#include "compression_engine/output_queue.h"

namespace sidepress::engine {

class Lane;
class Scheduler;

// From post to completion the task owns its encoder, its input and its
// output; nothing of them is read or written elsewhere.
struct SliceTask {
  // Set on the loop before the task is posted; constant while it runs.
  Lane* lane = nullptr;
  Scheduler* scheduler = nullptr;    // that is told of the completion
  SliceTask* next_posted = nullptr;  // for the executor
  EncoderSlot* slot = nullptr;
  EncoderParameters parameters;
  RetentionPolicy retention;
  bool begin = false;        // start the run first
  std::uint64_t offset = 0;  // of the run in the response; `begin` only
  std::span<const std::uint8_t> context;  // the bytes before it
  const std::uint8_t* input = nullptr;
  std::size_t input_size = 0;
  InputQueue::Unread unread;  // of the input; read first
  Operation operation = Operation::kProcess;

  // owner: loop before the post and after completion, the task in between.
  OutputQueue empty;    // blocks to write to
  OutputQueue written;  // blocks with output, in order

  // Set by Run, read on the loop after completion.
  std::size_t consumed = 0;
  bool done = false;
  Status status = Status::kOk;

  // Does the work. Ends with the input consumed and the operation complete,
  // with all blocks full, or with an error. Thread: pool or loop.
  void Run() noexcept;

 private:
  Status ReadInput() const noexcept;
};

}  // namespace sidepress::engine
