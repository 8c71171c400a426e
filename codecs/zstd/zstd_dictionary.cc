#include "zstd/zstd_dictionary.h"

#include <cstdlib>
#include <new>

#include "zstd/zstd_library.h"

namespace sidepress::codecs {
namespace {

// The library ignores what is shorter without a word.
constexpr std::size_t kLeastSize = 8;

bool IsTrained(std::span<const std::uint8_t> bytes) {
  constexpr std::uint32_t kMagic = ZSTD_MAGIC_DICTIONARY;
  std::uint32_t magic = 0;
  for (int i = 3; i >= 0; --i) {
    magic = magic << 8 | bytes[static_cast<std::size_t>(i)];
  }
  return magic == kMagic;
}

}  // namespace

ZstdDictionary* ZstdDictionary::Create(std::span<const std::uint8_t> bytes,
                                       int level,
                                       const char** reason) noexcept {
  if (bytes.size() < kLeastSize) {
    *reason = "the dictionary is shorter than 8 bytes";
    return nullptr;
  }
  ZSTD_CDict* digested = ZSTD_createCDict(bytes.data(), bytes.size(), level);
  if (digested == nullptr) {
    *reason = IsTrained(bytes) ? "the dictionary is damaged"
                               : "no memory for the dictionary";
    return nullptr;
  }
  void* storage = std::malloc(sizeof(ZstdDictionary));
  if (storage == nullptr) {
    ZSTD_freeCDict(digested);
    *reason = "no memory for the dictionary";
    return nullptr;
  }
  return new (storage) ZstdDictionary(digested);
}

void ZstdDictionary::Dispose() noexcept {
  ZSTD_freeCDict(digested_);
  std::free(this);
}

}  // namespace sidepress::codecs
