// Entity tags, Cache-Control, Vary, Content-Type and the ratio, for any bytes.
// The input is one header value; the ratio reads it as two numbers in decimal.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "http_policy/content_kind.h"
#include "http_policy/response_headers.h"
#include "require.h"

namespace {

using sidepress::fuzz::Require;
using namespace sidepress::http_policy;

void CheckEntityTag(std::string_view tag) {
  const bool weak = IsWeakEntityTag(tag);
  const bool strong = IsStrongEntityTag(tag);
  Require(!(weak && strong));

  std::vector<char> storage(WeakEntityTagSize(tag));
  const std::string_view weakened = WeakenEntityTag(tag, storage);
  Require(weakened.size() == storage.size());
  Require(weakened.empty() == !(weak || strong));
  if (weak) Require(weakened.data() == tag.data());
  if (strong) Require(weakened == "W/" + std::string(tag));
  if (weakened.empty()) return;
  Require(IsWeakEntityTag(weakened));
  Require(WeakenEntityTag(weakened, {}) == weakened);
  if (!strong) return;
  storage.pop_back();
  Require(WeakenEntityTag(tag, storage).empty());
}

// Behind a comma that ends a member, the directive is always found; inside a
// quoted string, never.
void CheckCacheControl(std::string_view line) {
  const std::string text(line);
  Require(HasNoTransform("No-Transform," + text));
  if (HasNoTransform(text)) Require(HasNoTransform("x, " + text));
  if (text.find_first_of("\"\\") != text.npos) return;
  Require(HasNoTransform(text + ",no-transform"));
  Require(!HasNoTransform("x=\"" + text + ",no-transform,\""));
}

void CheckVary(std::string_view line) {
  const std::string text(line);
  Require(VariesByAcceptEncoding("Accept-Encoding," + text));
  if (VariesByAcceptEncoding(text)) {
    Require(VariesByAcceptEncoding("Cookie, " + text));
  }
}

void CheckContentType(std::string_view type) {
  const std::string text(type);
  if (text.find('"') != text.npos) return;
  Require(ClassifyContentType(" " + text + "\t;charset=utf-8") ==
          ClassifyContentType(text));
}

std::uint64_t TakeNumber(std::string_view& text) {
  std::uint64_t number = 0;
  while (!text.empty()) {
    const char c = text.front();
    text.remove_prefix(1);
    if (c < '0' || c > '9') break;
    number = number * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return number;
}

void CheckRatio(std::string_view text) {
  __extension__ using Wide = unsigned __int128;
  constexpr int kDecimals = 3;
  const std::uint64_t original = TakeNumber(text);
  const std::uint64_t compressed = TakeNumber(text);
  std::vector<char> storage(RatioSize(kDecimals));
  const std::string_view ratio =
      FormatRatio(original, compressed, kDecimals, storage);
  if (compressed == 0) return Require(ratio == "-");

  const Wide thousandths = Wide{original} * 1000 / compressed;
  const auto whole = static_cast<std::uint64_t>(thousandths / 1000);
  const auto part = static_cast<unsigned>(thousandths % 1000);
  const std::string padded = std::to_string(1000 + part).substr(1);
  Require(ratio == std::to_string(whole) + "." + padded);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  CheckEntityTag(text);
  CheckCacheControl(text);
  CheckVary(text);
  CheckContentType(text);
  CheckRatio(text);
  return 0;
}
