// The outcome of an engine operation. No exceptions exist in this project:
// whatever can fail returns one of these.
#pragma once

namespace sidepress::engine {

enum class [[nodiscard]] Status : unsigned char{
    kOk, kOutOfMemory, kEncoderFailed,
    kInputFailed,  // an InputSource could not be read
};

}  // namespace sidepress::engine
