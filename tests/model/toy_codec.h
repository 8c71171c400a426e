// A codec whose output shows what was done to it, for tests of the engine.
//
// Stream: 'S' at the start of the first run, 'C' + size byte + the bytes before
// it at the start of a later one, chunks of 'D' + size byte + bytes, 'F' where
// a run was flushed or ended, 'E' at the end of the stream. Like a real encoder
// it holds input back, up to 200 bytes, until a flush.
#pragma once

#include <cstdint>
#include <string>

#include "compression_engine/codec.h"

namespace sidepress::tests {

class ToyCodec final : public engine::Codec {
 public:
  std::size_t EncoderSize() const noexcept override;
  engine::SegmentEncoder* Construct(
      void* storage, engine::Arena& arena) const noexcept override;
  std::size_t EstimateMemory(
      const engine::EncoderParameters&) const noexcept override;
  engine::Cost EstimateCost(
      const engine::EncoderParameters&) const noexcept override;
  bool JoinsRuns() const noexcept override { return true; }
  std::size_t ContextSize(
      const engine::EncoderParameters&) const noexcept override;
  std::size_t OutputBound(std::size_t input_size) const noexcept override;
};

struct Decoded {
  std::string bytes;   // all that is decodable
  bool valid = true;   // the format was kept so far
  bool ended = false;  // the end mark came, and nothing after it
};

// Decodes a stream, or what there is of one.
Decoded DecodeToy(const std::string& stream);

}  // namespace sidepress::tests
