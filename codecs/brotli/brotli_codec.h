// Brotli (RFC 7932) over the system's libbrotlienc, 1.0.9 and later.
#pragma once

#include <cstddef>

#include "compression_engine/codec.h"

namespace sidepress::codecs {

inline constexpr int kBrotliMinLevel = 0;
inline constexpr int kBrotliMaxLevel = 11;
inline constexpr int kBrotliMinWindowLog = 10;
inline constexpr int kBrotliMaxWindowLog = 24;  // never "large window"

class BrotliCodec final : public engine::Codec {
 public:
  std::size_t EncoderSize() const noexcept override;
  engine::SegmentEncoder* Construct(
      void* storage, engine::Arena& arena) const noexcept override;
  std::size_t EstimateMemory(
      const engine::EncoderParameters& parameters) const noexcept override;
  engine::Cost EstimateCost(
      const engine::EncoderParameters& parameters) const noexcept override;
  bool JoinsRuns() const noexcept override { return true; }
  // The library cannot begin a run with matches into what was before it.
  std::size_t ContextSize(
      const engine::EncoderParameters&) const noexcept override {
    return 0;
  }
  std::size_t OutputBound(std::size_t input_size) const noexcept override;
};

// The window that is used for `parameters`: the smallest that spans a known
// length, at most parameters.window_log.
int BrotliWindowLog(const engine::EncoderParameters& parameters) noexcept;

// The length that the library is told, which decides its hash table. From
// 1 MiB on it takes one that reads 5 bytes at a time: at levels 5 to 8 that
// makes scripts 5 % cheaper and JSON 6 to 12 % dearer, and doubles the memory,
// so it is told a little less there.
std::uint64_t BrotliSizeHint(
    const engine::EncoderParameters& parameters) noexcept;

}  // namespace sidepress::codecs
