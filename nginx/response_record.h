// What became of a request's response: its coding, or why it has none. Kept
// in the context of the main request. Thread: loop.
#pragma once

#include "http_policy/response_eligibility.h"
#include "nginx/codec_table.h"
#include "nginx/ngx.h"

namespace sidepress {

class HeldBody;
class RequestStream;

struct ResponseRecord {
  const CodecRow* row;    // of what is sent; nullptr: not one of these codings
  RequestStream* stream;  // compresses on the fly; nullptr: nobody does
  HeldBody* held;         // the header waits for it; nullptr: it does not
  http_policy::Reason reason;
};

// Returns: nullptr when there is none: nothing was switched on, or no header
// was sent yet. NGINX forgets it at an internal redirect, and so it is about
// the response that is sent in the end.
ResponseRecord* FindRecord(ngx_http_request_t* r) noexcept;

// The record, made when there is none. Returns: nullptr when memory is
// refused.
ResponseRecord* MakeRecord(ngx_http_request_t* r) noexcept;

}  // namespace sidepress
