// The Accept-Encoding request header (RFC 9110 12.5.3): which content codings
// the client takes, and how much it likes each. Pure, for any thread.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace sidepress::http_policy {

// The content codings (RFC 9110 8.4.1) that can be elected.
enum class Coding : unsigned char { kIdentity, kGzip, kBrotli, kZstd };

inline constexpr std::size_t kCodingCount = 4;

// Returns: the token that names `coding` in header fields: "identity", "gzip",
// "br", "zstd" (RFC 9110 8.4.1, RFC 7932 13, RFC 8878 7.2).
std::string_view CodingName(Coding coding) noexcept;

// The weights that a request gives to the codings it names.
//
// - Codings are whole tokens in any case; "x-gzip" is "gzip" (8.4.1.3).
// - A member without a weight has the weight 1; parameters other than "q" are
//   skipped, whatever they hold.
// - A weight that is malformed, or given twice, makes its member as
//   unacceptable as q=0: who is in doubt sends what everyone can read.
// - Of several members that name one coding the highest weight counts, unless
//   one of them refuses the coding: then it is refused.
// - "*" is no coding: it neither selects nor excludes anything, as in NGINX's
//   gzip module.
class AcceptedCodings {
 public:
  // Adds the members of one header line. Several lines form one list (RFC 9110
  // 5.3): call once for each; their order does not matter.
  void AddLine(std::string_view header_line_value) noexcept;

  // Returns: whether there was a line at all, if only an empty one.
  bool present() const noexcept { return present_; }

  // Returns: the weight (RFC 9110 12.4.2) in thousandths, 0..1000; 0 when the
  // coding is refused or not named.
  int Weight(Coding coding) const noexcept;

  // Returns: whether the coding is named and not refused.
  bool Accepts(Coding coding) const noexcept { return Weight(coding) > 0; }

 private:
  static constexpr int kNotNamed = -1;

  void AddMember(std::string_view member) noexcept;

  // Thousandths, or kNotNamed; the index is a Coding.
  std::array<int, kCodingCount> weights_ = {kNotNamed, kNotNamed, kNotNamed,
                                            kNotNamed};
  bool present_ = false;
};

}  // namespace sidepress::http_policy
