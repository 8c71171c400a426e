// What a level of libzstd costs in time and memory.
#include <algorithm>
#include <array>

#include "zstd/zstd_codec.h"
#include "zstd/zstd_library.h"

namespace sidepress::codecs {
namespace {

// Entries of 8 bytes, one for each 2^rate bytes of the window
// (ZSTD_ldm_adjustParameters).
std::size_t LongDistanceTable(const ZSTD_compressionParameters& tables) {
  const bool by_strategy = ZSTD_VERSION_NUMBER >= 10507;
  const unsigned rate_log =
      by_strategy ? 7 - static_cast<unsigned>(tables.strategy) / 3 : 7;
  return std::size_t{8} << (tables.windowLog - rate_log);
}

// Its literals, and the sequences that it has at most, of 11 bytes.
std::size_t SequencesOfBlock(const ZSTD_compressionParameters& tables,
                             std::size_t block) {
  return block + 11 * (block / (tables.minMatch == 3 ? 3 : 4));
}

}  // namespace

engine::Cost ZstdCodec::EstimateCost(
    const engine::EncoderParameters&) const noexcept {
  return {1'000, 10};
}

// As ZSTD_estimateCStreamSize_usingCParams, which does not know the length
// and would give a response of 87 KB a window of 128 KiB.
std::size_t ZstdCodec::EstimateMemory(
    const engine::EncoderParameters& parameters) const noexcept {
  const std::uint64_t length = parameters.known_length;
  ZSTD_compressionParameters tables =
      ZSTD_getCParams(parameters.level, length, 0);
  tables.windowLog = static_cast<unsigned>(ZstdWindowLog(parameters));
  tables = ZSTD_adjustCParams(tables, length, 0);
  const std::size_t largest_window = std::size_t{1} << tables.windowLog;
  std::size_t window = largest_window;
  if (length != 0 && length < window) window = static_cast<std::size_t>(length);
  const std::size_t block = std::min<std::size_t>(window, ZSTD_BLOCKSIZE_MAX);
  const std::size_t buffers = window + block + ZSTD_compressBound(block);
  const std::size_t unused =
      SequencesOfBlock(
          tables, std::min<std::size_t>(largest_window, ZSTD_BLOCKSIZE_MAX)) -
      SequencesOfBlock(tables, block);
  return ZSTD_estimateCCtxSize_usingCParams(tables) - unused + buffers +
         (parameters.long_distance ? LongDistanceTable(tables) : 0);
}

}  // namespace sidepress::codecs
