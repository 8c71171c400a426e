// The beginning of a zstd frame that somebody else made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sidepress::codecs {

enum class ZstdFrameCheck : unsigned char {
  kOk,
  kNotZstd,         // or a skippable frame, which clients stop at
  kWindowTooLarge,  // above 8 MiB: browsers refuse it (RFC 9659)
  kTruncated,       // ends before its header does
};

// The longest frame header: so many bytes are enough for the check.
inline constexpr std::size_t kZstdMaxFrameHeader = 18;

// `beginning`: the first bytes of the file.
ZstdFrameCheck CheckZstdFrame(std::span<const std::uint8_t> beginning) noexcept;

}  // namespace sidepress::codecs
