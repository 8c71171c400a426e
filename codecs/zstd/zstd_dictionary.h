// A dictionary of libzstd, digested for one level.
#pragma once

#include <cstdint>
#include <span>

#include "compression_engine/codec.h"

struct ZSTD_CDict_s;

namespace sidepress::codecs {

// Read by all encoders, on any thread. It comes from the heap: it is made
// with the configuration and outlives every worker's budget.
class ZstdDictionary final : public engine::Dictionary {
 public:
  // `bytes`: a trained dictionary, or any content; copied. The level is the
  // one that runs are compressed with, whatever their own.
  // Returns: nullptr with the reason when they cannot be one.
  static ZstdDictionary* Create(std::span<const std::uint8_t> bytes, int level,
                                const char** reason) noexcept;

  // REQUIRES: no run uses it any more.
  void Dispose() noexcept;

  const ZSTD_CDict_s* digested() const noexcept { return digested_; }

 private:
  explicit ZstdDictionary(ZSTD_CDict_s* digested) noexcept
      : digested_(digested) {}
  ~ZstdDictionary() = default;

  ZSTD_CDict_s* digested_;
};

}  // namespace sidepress::codecs
