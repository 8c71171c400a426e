#include "zstd/zstd_codec.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <new>

#include "zstd/zstd_encoder.h"
#include "zstd/zstd_library.h"

namespace sidepress::codecs {

static_assert(kZstdMinLevel == -ZSTD_TARGETLENGTH_MAX);

std::size_t ZstdCodec::EncoderSize() const noexcept {
  return sizeof(ZstdEncoder);
}

engine::SegmentEncoder* ZstdCodec::Construct(
    void* storage, engine::Arena& arena) const noexcept {
  return new (storage) ZstdEncoder(arena);
}

bool ZstdCodec::JoinsRuns() const noexcept { return kZstdIsStatic; }

// What keeps a response within 2 % of the size of one piece, measured on JSON
// of 2 and 5 MB that was cut at every MiB. Cut only once, the larger file needs
// no less: what counts is how far back its repetitions are. A run indexes its
// context before it begins, and at the levels with binary trees, from 13 on,
// about as slowly as it compresses.
std::size_t ZstdCodec::ContextSize(
    const engine::EncoderParameters& parameters) const noexcept {
  constexpr std::uint8_t kLogs[] = {21, 19, 19, 21, 20, 20, 20, 20,
                                    20, 21, 21, 22, 22, 20, 20, 21,
                                    21, 21, 21, 21, 21, 21, 21};
  static_assert(std::size(kLogs) == kZstdMaxLevel + 1);
  const int level = parameters.level < 0 ? 1 : parameters.level;
  const int log = kLogs[std::min(level, kZstdMaxLevel)];
  return std::size_t{1} << std::min(log, ZstdWindowLog(parameters));
}

// Raw blocks, the smallest of which are those of the smallest window, one more
// where a flush cuts a block, and the frame's header and end.
std::size_t ZstdCodec::OutputBound(std::size_t input_size) const noexcept {
  constexpr std::size_t kLeastBlock = std::size_t{1} << kZstdMinWindowLog;
  constexpr std::size_t kBlockHeader = 3;
  return input_size + kBlockHeader * (input_size / kLeastBlock + 2) +
         ZSTD_FRAMEHEADERSIZE_MAX;
}

int ZstdWindowLog(const engine::EncoderParameters& parameters) noexcept {
  const std::uint64_t length = parameters.known_length;
  int log = parameters.window_log;
  if (log == 0) {
    // Long distances need the window for them.
    log = parameters.long_distance
              ? kZstdMaxWindowLog
              : static_cast<int>(
                    ZSTD_getCParams(parameters.level, length, 0).windowLog);
  }
  log = std::clamp(log, kZstdMinWindowLog, kZstdMaxWindowLog);
  if (length == 0) return log;
  while (log > kZstdMinWindowLog && length <= (std::uint64_t{1} << (log - 1))) {
    --log;
  }
  return log;
}

bool ZstdHasTargetBlockSize() noexcept { return ZSTD_VERSION_NUMBER >= 10506; }

}  // namespace sidepress::codecs
