// Which content coding a response gets, of those that the client accepts and
// the server offers. Pure, for any thread.
#pragma once

#include <array>
#include <initializer_list>
#include <span>

#include "http_policy/accept_encoding.h"

namespace sidepress::http_policy {

// A set of codings.
class CodingSet {
 public:
  constexpr CodingSet() noexcept = default;
  constexpr CodingSet(std::initializer_list<Coding> codings) noexcept {
    for (const Coding coding : codings) Add(coding);
  }

  constexpr void Add(Coding coding) noexcept { bits_ |= Bit(coding); }
  constexpr void Remove(Coding coding) noexcept { bits_ &= ~Bit(coding); }
  constexpr bool Has(Coding coding) const noexcept {
    return (bits_ & Bit(coding)) != 0;
  }
  constexpr bool Empty() const noexcept { return bits_ == 0; }

  friend constexpr bool operator==(CodingSet, CodingSet) noexcept = default;

 private:
  static constexpr unsigned Bit(Coding coding) noexcept {
    return 1U << static_cast<unsigned>(coding);
  }

  unsigned bits_ = 0;
};

// `compress_prefer` when the configuration does not say.
inline constexpr std::array kDefaultPreference = {
    Coding::kZstd, Coding::kBrotli, Coding::kGzip};

// Elects among the codings in `offered` the one with the highest weight
// (RFC 9110 12.5.3). Equal weights: the one that `preference` names first;
// those that it does not name come last, in the order of kDefaultPreference.
// The weight of identity is ignored, as in NGINX's gzip module: a client that
// names a coding at all can decode it and saves bytes by it.
// Returns: an offered and accepted coding, or kIdentity when there is none.
Coding ElectCoding(const AcceptedCodings& accepted, CodingSet offered,
                   std::span<const Coding> preference) noexcept;

}  // namespace sidepress::http_policy
