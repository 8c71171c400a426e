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
    {3'500, 3},
    {5'000, 4},
    {2'000, 7},
    {9'000, 9},
    {14'000, 15},
    {10'000, 21},
    {9'000, 24},
    {9'000, 28},
    {9'000, 31},
    {10'000, 36},
    {800'000, 500},
    {600'000, 1'500},
}};

// Bytes of the table that finds matches (quality.h and hash_*.h of the
// library): its kind depends on the level, the window and the size hint.
std::size_t HashTableSize(const engine::EncoderParameters& parameters,
                          int window_log) {
  const int level = parameters.level;
  const bool large = BrotliSizeHint(parameters) >= (1u << 20);
  if (level <= 1) return 0;
  if (level <= 3) return 256 * 1024;
  if (level == 4) return large ? 4u << 20 : 512u << 10;
  if (level >= 10) return (768u << 10) + (std::size_t{8} << window_log);
  if (window_log <= 16) return level < 9 ? 512u << 10 : 1300u << 10;
  const int bucket_bits = level < 7 && !(large && window_log >= 19) ? 14 : 15;
  return std::size_t{4} << (bucket_bits + level - 1);
}

// Bytes that the commands, the histograms and the output of one meta-block
// take for each byte of its input.
std::size_t BlockMemoryPerByte(int level) {
  if (level == 0) return 2;
  if (level <= 3) return level == 1 ? 9 : 5;
  if (level <= 8) return 11;
  return level == 9 ? 7 : 22;
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
  const int level = parameters.level;
  const std::size_t ring_buffer = std::size_t{2} << window_log;
  // Levels below 4 write a meta-block as soon as they can, in pieces that the
  // slice or a few thousand symbols bound.
  const std::size_t longest = level == 0   ? 64u * 1024
                              : level == 1 ? 128u * 1024
                              : level <= 3 ? 224u * 1024
                                           : ring_buffer;
  const std::size_t block =
      parameters.known_length == 0
          ? longest
          : static_cast<std::size_t>(
                std::min<std::uint64_t>(parameters.known_length, longest));
  constexpr std::size_t kState = 10 * 1024;
  return kState + ring_buffer + HashTableSize(parameters, window_log) +
         BlockMemoryPerByte(level) * block;
}

}  // namespace sidepress::codecs
