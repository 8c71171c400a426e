// Keeps conditions that every request meets from filling the log.
// Thread: loop.
#pragma once

#include "nginx/ngx.h"

namespace sidepress {

// One for each kind of message.
class LogLimit {
 public:
  // Returns: whether the message is to be written now; at most once a minute.
  bool Passes() noexcept {
    constexpr time_t kPauseSeconds = 60;
    if (ngx_time() < quiet_until_) return false;
    quiet_until_ = ngx_time() + kPauseSeconds;
    return true;
  }

 private:
  time_t quiet_until_ = 0;
};

}  // namespace sidepress
