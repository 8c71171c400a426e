// The body of a response whose header waits for it (docs/architecture.md,
// "Never larger"). Lives in the request's pool. Thread: loop.
#pragma once

#include <cstddef>

#include "nginx/codec_table.h"
#include "nginx/ngx.h"

namespace sidepress {

class HeldBody {
 public:
  // Whether the header of this response may wait: its length is known, and
  // compressing it is so cheap that it will be done at once.
  static bool IsFor(ngx_http_request_t* r, const CodecRow& row) noexcept;

  // Returns: nullptr when memory is refused.
  static HeldBody* Create(ngx_http_request_t* r) noexcept;

  enum class State : unsigned char {
    kWaiting,  // for the rest
    kWhole,
    kOverdue,  // the header must not wait any longer
  };

  // Takes what it can of `in`; TakeBody returns what it has.
  State Append(ngx_chain_t* in) noexcept;

  // Returns: the bytes that were taken, as one buffer, then the links of `in`
  // that were not. nullptr in `*chain` when there is nothing at all; false when
  // memory is refused.
  bool TakeBody(ngx_chain_t** chain) noexcept;

  std::size_t size() const noexcept { return size_; }

 private:
  HeldBody(ngx_http_request_t* r, u_char* bytes, std::size_t length) noexcept
      : pool_(r->pool), bytes_(bytes), length_(length) {}

  ngx_pool_t* const pool_;
  u_char* const bytes_;
  const std::size_t length_;  // that the header states
  std::size_t size_ = 0;      // taken so far
  bool last_ = false;         // the buffer that ends the response was taken
  ngx_chain_t* rest_ = nullptr;
};

}  // namespace sidepress
