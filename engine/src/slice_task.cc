#include "compression_engine/slice_task.h"

namespace sidepress::engine {

Status SliceTask::ReadInput() const noexcept {
  if (unread.bytes.empty() || unread.source.Read(0, unread.bytes)) {
    return Status::kOk;
  }
  return Status::kInputFailed;
}

void SliceTask::Run() noexcept {
  SegmentEncoder& encoder = slot->encoder();
  consumed = 0;
  done = false;
  status = ReadInput();
  if (status == Status::kOk && begin) {
    status = encoder.Begin(parameters, offset, context);
  }

  EncoderBuffers buffers;
  buffers.input = input;
  buffers.input_size = input_size;
  while (status == Status::kOk && !done && !empty.empty()) {
    OutputBlock* block = empty.first();
    buffers.output = block->data() + block->size;
    buffers.output_size = block->capacity - block->size;
    status = encoder.Compress(operation, buffers, &done);
    block->size = block->capacity - buffers.output_size;
    // Without progress the block must be full, or this would never end.
    if (!done && buffers.output_size > 0 && status == Status::kOk) {
      status = Status::kEncoderFailed;
    }
    if (block->size > 0) written.Append(empty.TakeFirst());
  }
  consumed = input_size - buffers.input_size;

  const bool run_ended = done && (operation == Operation::kEndRun ||
                                  operation == Operation::kEndStream);
  if (run_ended || status != Status::kOk) {
    // Here and not on the loop: unmapping a large table takes milliseconds.
    slot->Retire(retention);
  }
}

}  // namespace sidepress::engine
