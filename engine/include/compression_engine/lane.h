// A run that is still open, and its place in the scheduler.
// Thread: loop; `task` belongs to the executor while `running`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "compression_engine/scheduler.h"
#include "compression_engine/slice_task.h"

namespace sidepress::engine {

class CompressedStream;

class Lane {
 public:
  Lane(CompressedStream& owner, std::uint64_t run_start) noexcept
      : stream(owner), start(run_start), position(run_start) {
    task.lane = this;
  }

  static constexpr std::uint64_t kOpenEnd = UINT64_MAX;

  CompressedStream& stream;
  Lane* next = nullptr;  // the lane whose run follows this one
  const std::uint64_t start;
  std::uint64_t end = kOpenEnd;   // where the next run starts
  std::uint64_t position;         // first byte not consumed yet
  std::uint64_t step_end = 0;     // where the input of `task` ends
  std::uint64_t read_end = 0;     // of what its tasks have read from a source
  std::uint64_t undecodable = 0;  // bytes consumed since the last flush
  EncoderSlot* slot = nullptr;
  // The bytes before `start`, that the encoder may refer to.
  std::span<std::uint8_t> context;
  SliceTask task;
  OutputQueue output;  // waits until the lane is the head
  bool begun = false;  // the stream or run header was written
  bool running = false;
  bool queued = false;
  bool closed = false;   // the last byte of the run was written
  bool flushed = false;  // with output that waits behind another lane's
  bool operation_pending = false;  // task.operation is not complete

  // The scheduler's.
  Lane* previous_queued = nullptr;
  Lane* next_queued = nullptr;
  Urgency urgency = Urgency::kNew;
};

}  // namespace sidepress::engine
