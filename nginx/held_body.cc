#include "nginx/held_body.h"

#include <cstdint>
#include <new>

#include "http_policy/content_kind.h"
#include "nginx/configuration.h"
#include "nginx/request_stream.h"

namespace sidepress {

bool HeldBody::IsFor(ngx_http_request_t* r, const CodecRow& row) noexcept {
  const off_t length = r->headers_out.content_length_n;
  if (length <= 0 || r->header_only) return false;
  const ngx_str_t& type = r->headers_out.content_type;
  if (http_policy::ClassifyContentType(
          {reinterpret_cast<const char*>(type.data), type.len}) ==
      http_policy::ContentKind::kEventStream) {
    return false;
  }
  return RequestStream::CompressesAtOnce(r, row);
}

HeldBody* HeldBody::Create(ngx_http_request_t* r) noexcept {
  const auto length = static_cast<std::size_t>(r->headers_out.content_length_n);
  void* storage = ngx_palloc(r->pool, sizeof(HeldBody));
  auto* bytes = static_cast<u_char*>(ngx_pnalloc(r->pool, length));
  if (storage == nullptr || bytes == nullptr) return nullptr;
  return new (storage) HeldBody(r, bytes, length);
}

HeldBody::State HeldBody::Append(ngx_chain_t* in) noexcept {
  for (; in != nullptr; in = in->next) {
    ngx_buf_t* buffer = in->buf;
    const bool in_memory = ngx_buf_in_memory(buffer);
    const std::size_t more =
        in_memory ? static_cast<std::size_t>(buffer->last - buffer->pos) : 0;
    const bool readable = in_memory || ngx_buf_size(buffer) == 0;
    if (buffer->flush || !readable || more > length_ - size_) {
      rest_ = in;
      return State::kOverdue;
    }
    // A buffer without bytes may have no address.
    if (more > 0) ngx_memcpy(bytes_ + size_, buffer->pos, more);
    size_ += more;
    buffer->pos += more;
    if (buffer->last_buf) {
      last_ = true;
      return size_ == length_ ? State::kWhole : State::kOverdue;
    }
  }
  return State::kWaiting;
}

bool HeldBody::TakeBody(ngx_chain_t** chain) noexcept {
  *chain = rest_;
  if (size_ == 0 && !last_) return true;
  ngx_chain_t* link = ngx_alloc_chain_link(pool_);
  auto* buffer = static_cast<ngx_buf_t*>(ngx_calloc_buf(pool_));
  if (link == nullptr || buffer == nullptr) return false;
  buffer->start = buffer->pos = bytes_;
  buffer->end = buffer->last = bytes_ + size_;
  buffer->memory = size_ > 0 ? 1 : 0;
  buffer->last_buf = last_ ? 1 : 0;
  buffer->last_in_chain = last_ ? 1 : 0;
  *link = {buffer, rest_};
  *chain = link;
  return true;
}

}  // namespace sidepress
