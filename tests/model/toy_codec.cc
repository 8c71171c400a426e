#include "model/toy_codec.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace sidepress::tests {
namespace {

using engine::Operation;
using engine::Status;

constexpr std::size_t kHeldBack = 200;
constexpr std::size_t kContext = 90;

class ToyEncoder final : public engine::SegmentEncoder {
 public:
  explicit ToyEncoder(engine::Arena& arena) noexcept : arena_(arena) {}

  Status Begin(const engine::EncoderParameters&, std::uint64_t offset,
               std::span<const std::uint8_t> context) noexcept override {
    held_ = static_cast<unsigned char*>(arena_.Allocate(kHeldBack));
    if (held_ == nullptr) return Status::kOutOfMemory;
    held_size_ = out_size_ = out_written_ = 0;
    finished_operation_ = false;
    if (offset == 0) {
      out_[out_size_++] = 'S';
    } else {
      out_[out_size_++] = 'C';
      out_[out_size_++] = static_cast<unsigned char>(context.size());
      std::ranges::copy(context, out_ + out_size_);
      out_size_ += context.size();
    }
    return Status::kOk;
  }

  Status Compress(Operation operation, engine::EncoderBuffers& buffers,
                  bool* done) noexcept override {
    *done = false;
    while (true) {
      WriteOut(buffers);
      if (out_written_ < out_size_) return Status::kOk;
      out_size_ = out_written_ = 0;
      if (finished_operation_ && buffers.input_size == 0) break;
      const std::size_t size =
          std::min(buffers.input_size, kHeldBack - held_size_);
      std::copy_n(buffers.input, size, held_ + held_size_);
      buffers.input += size;
      buffers.input_size -= size;
      held_size_ += size;
      if (held_size_ == kHeldBack) {
        EmitChunk();
      } else if (operation == Operation::kProcess) {
        break;
      } else {
        EmitChunk();
        out_[out_size_++] = operation == Operation::kEndStream ? 'E' : 'F';
        finished_operation_ = true;
      }
    }
    finished_operation_ = false;
    *done = true;
    return Status::kOk;
  }

  void End(bool) noexcept override {
    arena_.Free(held_);
    held_ = nullptr;
  }

 private:
  void WriteOut(engine::EncoderBuffers& buffers) {
    const std::size_t size =
        std::min(out_size_ - out_written_, buffers.output_size);
    std::memcpy(buffers.output, out_ + out_written_, size);
    buffers.output += size;
    buffers.output_size -= size;
    out_written_ += size;
  }

  void EmitChunk() {
    if (held_size_ == 0) return;
    out_[out_size_++] = 'D';
    out_[out_size_++] = static_cast<unsigned char>(held_size_);
    std::memcpy(out_ + out_size_, held_, held_size_);
    out_size_ += held_size_;
    held_size_ = 0;
  }

  engine::Arena& arena_;
  unsigned char* held_ = nullptr;
  std::size_t held_size_ = 0;
  unsigned char out_[kHeldBack + 8];
  std::size_t out_size_ = 0;
  std::size_t out_written_ = 0;
  bool finished_operation_ = false;
};

}  // namespace

std::size_t ToyCodec::EncoderSize() const noexcept {
  return sizeof(ToyEncoder);
}

engine::SegmentEncoder* ToyCodec::Construct(
    void* storage, engine::Arena& arena) const noexcept {
  return new (storage) ToyEncoder(arena);
}

std::size_t ToyCodec::EstimateMemory(
    const engine::EncoderParameters&) const noexcept {
  return kHeldBack;
}

// So slow that a helper is worth its while for a few dozen bytes.
engine::Cost ToyCodec::EstimateCost(
    const engine::EncoderParameters&) const noexcept {
  return {1'000, 1'000'000};
}

std::size_t ToyCodec::ContextSize(
    const engine::EncoderParameters&) const noexcept {
  return kContext;
}

std::size_t ToyCodec::OutputBound(std::size_t input_size) const noexcept {
  return 3 * input_size + 8 + kContext;
}

Decoded DecodeToy(const std::string& stream) {
  Decoded decoded;
  std::size_t i = 0;
  if (stream.empty()) return decoded;
  decoded.valid = stream[i++] == 'S';
  while (decoded.valid && i < stream.size()) {
    const char tag = stream[i++];
    if (decoded.ended) {
      decoded.valid = false;
    } else if (tag == 'D' && i < stream.size()) {
      const std::size_t size = static_cast<unsigned char>(stream[i++]);
      decoded.bytes += stream.substr(i, size);
      i += size;
    } else if (tag == 'C' && i < stream.size()) {
      // What has not been received yet cannot be compared.
      const std::size_t size = static_cast<unsigned char>(stream[i++]);
      const std::string context = stream.substr(i, size);
      if (context.size() == size) {
        decoded.valid = size == std::min(decoded.bytes.size(), kContext) &&
                        decoded.bytes.ends_with(context);
      }
      i += size;
    } else if (tag == 'E') {
      decoded.ended = true;
    } else if (tag != 'F' && tag != 'D' && tag != 'C') {
      decoded.valid = false;
    }
  }
  return decoded;
}

}  // namespace sidepress::tests
