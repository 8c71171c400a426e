// The assertion of the fuzz targets: on in every build type.
#pragma once

#include <cstdlib>

namespace sidepress::fuzz {

// Ends the process, so that libFuzzer or the replay reports the input.
inline void Require(bool holds) noexcept {
  if (!holds) std::abort();
}

}  // namespace sidepress::fuzz
