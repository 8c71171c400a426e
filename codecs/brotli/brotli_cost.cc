// What a level of libbrotlienc costs in time and memory.
#include <algorithm>
#include <array>

#include "brotli/brotli_codec.h"

namespace sidepress::codecs {
namespace {

struct LevelCost {
  std::uint32_t setup_ns;
  std::uint32_t ns_per_byte;
};

// `bench/codec` measures these; the median over text, scripts and JSON, with
// recycled memory.
constexpr std::array<LevelCost, kBrotliMaxLevel + 1> kLevelCosts = {{
    {4'000, 3},
    {4'000, 5},
    {9'000, 9},
    {12'000, 11},
    {12'000, 14},
    {15'000, 20},
    {15'000, 25},
    {20'000, 33},
    {20'000, 38},
    {30'000, 50},
    {1'000'000, 800},
    {1'500'000, 1'900},
}};

// Bytes of the table that finds matches (hash_*.h of the library).
std::size_t HashTableSize(const engine::EncoderParameters& parameters,
                          int window_log) {
  const int level = parameters.level;
  const bool large = parameters.known_length >= (1u << 20);
  if (level <= 1) return (level == 0 ? 2u : 4u) << (level == 0 ? 14 : 16);
  if (level <= 3) return 4u << 17;
  if (level == 4) return large ? 4u << 20 : 4u << 17;
  if (level >= 10) {
    return (4u << 17) + (std::size_t{8} << window_log);
  }
  if (window_log <= 16) return 1u << 20;
  const int bucket_bits = level < 7 && !(large && window_log >= 19) ? 14 : 15;
  return std::size_t{4} << (bucket_bits + level - 1);
}

}  // namespace

engine::Cost BrotliCodec::EstimateCost(
    const engine::EncoderParameters& parameters) const noexcept {
  const LevelCost& cost =
      kLevelCosts[static_cast<std::size_t>(parameters.level)];
  return {cost.setup_ns, cost.ns_per_byte};
}

std::size_t BrotliCodec::EstimateMemory(
    const engine::EncoderParameters& parameters) const noexcept {
  const int window_log = BrotliWindowLog(parameters);
  const std::size_t window = std::size_t{1} << window_log;
  const std::size_t length =
      parameters.known_length == 0
          ? window
          : static_cast<std::size_t>(
                std::min<std::uint64_t>(parameters.known_length, window));
  // The ring buffer is twice the window, commands and the storage for one
  // meta-block grow with its length.
  return 64 * 1024 + 2 * window + HashTableSize(parameters, window_log) +
         (parameters.level < 2 ? 2 : 10) * length;
}

}  // namespace sidepress::codecs
