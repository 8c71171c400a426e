// What a level of libzstd costs in time and memory.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "zstd/zstd_codec.h"
#include "zstd/zstd_library.h"

namespace sidepress::codecs {
namespace {

struct LevelCost {
  std::uint32_t setup_ns;
  std::uint32_t ns_per_byte;
  std::uint32_t ns_per_context_byte;
};

// `bench/codec --codec zstd` measures these; between the medians over text,
// scripts and JSON of their beginnings, up to 256 KiB, and of whole files,
// with a context that is kept. Tables shrink with a known length, so that the
// setup is small at every level. The last column is the time in which a run
// indexes its context. Row 0 is level 3, which level 0 stands for.
constexpr std::array<LevelCost, kZstdMaxLevel + 1> kLevelCosts = {{
    {4'000, 4, 1},     {4'000, 3, 1},     {4'000, 4, 1},     {4'000, 4, 1},
    {6'000, 5, 2},     {5'000, 8, 5},     {4'000, 12, 5},    {4'000, 14, 5},
    {4'000, 18, 5},    {4'000, 20, 7},    {4'000, 24, 7},    {4'000, 38, 7},
    {4'000, 50, 8},    {8'000, 100, 120}, {8'000, 116, 140}, {8'000, 140, 150},
    {8'000, 190, 150}, {8'000, 230, 170}, {8'000, 300, 170}, {8'000, 360, 200},
    {8'000, 380, 200}, {8'000, 400, 200}, {8'000, 600, 200},
}};

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
    const engine::EncoderParameters& parameters) const noexcept {
  // The fast levels below 0 were not measured: no more than level 1.
  const int level = parameters.level < 0 ? 1 : parameters.level;
  const LevelCost& cost =
      kLevelCosts[static_cast<std::size_t>(std::min(level, kZstdMaxLevel))];
  return {cost.setup_ns, cost.ns_per_byte, cost.ns_per_context_byte};
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
