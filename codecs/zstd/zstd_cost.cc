// What a level of libzstd costs in time and memory.
#include <algorithm>
#include <array>

#include "zstd/zstd_codec.h"
#include "zstd/zstd_library.h"

namespace sidepress::codecs {

engine::Cost ZstdCodec::EstimateCost(
    const engine::EncoderParameters&) const noexcept {
  return {1'000, 10};
}

std::size_t ZstdCodec::EstimateMemory(
    const engine::EncoderParameters& parameters) const noexcept {
  (void)parameters;
  return 0;
}

}  // namespace sidepress::codecs
