// Input that the engine fetches itself, on the thread that compresses it.
#pragma once

#include <cstdint>
#include <span>

namespace sidepress::engine {

struct InputSource {
  // Reads all of `to` from `offset` on.
  // Returns: false when the bytes are not there. Thread: pool or loop, the
  // former even after the stream was released; what it reads is dropped then.
  using Reader = bool (*)(std::intptr_t handle, std::uint64_t offset,
                          std::span<std::uint8_t> to) noexcept;

  Reader read = nullptr;
  std::intptr_t handle = 0;
  std::uint64_t offset = 0;  // of the next byte that the stream is given

  bool Read(std::uint64_t skip, std::span<std::uint8_t> to) const noexcept {
    return read(handle, offset + skip, to);
  }
};

}  // namespace sidepress::engine
