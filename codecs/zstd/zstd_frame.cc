#include "zstd/zstd_frame.h"

#include <algorithm>

namespace sidepress::codecs {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::uint8_t kMagic[] = {0x28, 0xB5, 0x2F, 0xFD};
constexpr std::uint64_t kMaxWindow = 8u << 20;

std::uint64_t LittleEndian(Bytes bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | bytes[i];
  return value;
}

// RFC 8878 section 3.1.1.1.2.
std::uint64_t WindowSize(std::uint8_t descriptor) {
  const std::uint64_t base = std::uint64_t{1} << (10 + (descriptor >> 3));
  return base + base / 8 * (descriptor & 7);
}

}  // namespace

ZstdFrameCheck CheckZstdFrame(Bytes beginning) noexcept {
  const std::size_t compared = std::min(beginning.size(), sizeof(kMagic));
  if (!std::equal(kMagic, kMagic + compared, beginning.begin())) {
    return ZstdFrameCheck::kNotZstd;
  }
  if (beginning.size() <= sizeof(kMagic)) return ZstdFrameCheck::kTruncated;

  const std::uint8_t descriptor = beginning[sizeof(kMagic)];
  const bool single_segment = (descriptor & 0x20) != 0;
  const bool reserved_bit = (descriptor & 0x08) != 0;
  if (reserved_bit) return ZstdFrameCheck::kNotZstd;

  constexpr std::size_t kDictionaryIdSizes[] = {0, 1, 2, 4};
  const std::size_t dictionary_id = kDictionaryIdSizes[descriptor & 3];
  const std::size_t size_code = descriptor >> 6;
  const std::size_t content_size =
      size_code == 0 && !single_segment ? 0 : std::size_t{1} << size_code;
  const Bytes fields = beginning.subspan(sizeof(kMagic) + 1);
  const std::size_t window_field = single_segment ? 0 : 1;
  const std::size_t before_content_size = window_field + dictionary_id;
  if (fields.size() < before_content_size + content_size) {
    return ZstdFrameCheck::kTruncated;
  }
  std::uint64_t window = 0;
  if (single_segment) {
    window = LittleEndian(fields.subspan(before_content_size, content_size));
    if (size_code == 1) window += 256;
  } else {
    window = WindowSize(fields[0]);
  }
  return window > kMaxWindow ? ZstdFrameCheck::kWindowTooLarge
                             : ZstdFrameCheck::kOk;
}

}  // namespace sidepress::codecs
