// Zstandard (RFC 8878) over libzstd, 1.5.4 and later.
#pragma once

#include <cstddef>

#include "compression_engine/codec.h"

namespace sidepress::codecs {

inline constexpr int kZstdMinLevel = -131'072;  // 0 stands for 3
inline constexpr int kZstdMaxLevel = 22;
inline constexpr int kZstdMinWindowLog = 10;
inline constexpr int kZstdMaxWindowLog = 23;  // RFC 9659: 8 MiB

class ZstdCodec final : public engine::Codec {
 public:
  std::size_t EncoderSize() const noexcept override;
  engine::SegmentEncoder* Construct(
      void* storage, engine::Arena& arena) const noexcept override;
  std::size_t EstimateMemory(
      const engine::EncoderParameters& parameters) const noexcept override;
  engine::Cost EstimateCost(
      const engine::EncoderParameters& parameters) const noexcept override;
  // Only with the static library.
  bool JoinsRuns() const noexcept override;
  std::size_t ContextSize(
      const engine::EncoderParameters& parameters) const noexcept override;
  std::size_t OutputBound(std::size_t input_size) const noexcept override;
};

// The window of all runs of a frame: parameters.window_log or else the
// level's, no larger than a known length needs, never above 8 MiB.
int ZstdWindowLog(const engine::EncoderParameters& parameters) noexcept;

// Whether EncoderParameters::target_block_size has an effect: from
// libzstd 1.5.6 on. Before, where it was experimental, targets near 128 KiB
// take seconds for each MiB.
bool ZstdHasTargetBlockSize() noexcept;

}  // namespace sidepress::codecs
