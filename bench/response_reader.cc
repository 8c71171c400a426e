#include "bench/response_reader.h"

#include <strings.h>

#include <algorithm>
#include <charconv>

namespace sidepress::bench {
namespace {

constexpr std::uint64_t kLineEnd = 2;

// Returns: the value of a header line, empty when there is none.
std::string_view ValueOf(std::string_view header, std::string_view name) {
  for (std::size_t at = header.find("\r\n"); at != header.npos;
       at = header.find("\r\n", at)) {
    at += kLineEnd;
    const std::string_view line =
        header.substr(at, header.find("\r\n", at) - at);
    if (line.size() <= name.size() || line[name.size()] != ':' ||
        strncasecmp(line.data(), name.data(), name.size()) != 0) {
      continue;
    }
    const std::size_t value = line.find_first_not_of(' ', name.size() + 1);
    return value == line.npos ? std::string_view() : line.substr(value);
  }
  return {};
}

bool ParseNumber(std::string_view text, int base, std::uint64_t* number) {
  const auto result =
      std::from_chars(text.data(), text.data() + text.size(), *number, base);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

}  // namespace

bool ResponseReader::Read(std::string_view bytes) {
  while (!bytes.empty()) {
    switch (state_) {
      case State::kHeader:
        if (!ReadHeader(&bytes)) return false;
        break;
      case State::kBody:
        ReadBody(&bytes);
        break;
      case State::kChunkSize:
        if (!ReadChunkSize(&bytes)) return false;
        break;
      case State::kChunk:
        ReadChunk(&bytes);
        break;
      case State::kChunkEnd:
        if (!ReadLine(&bytes)) break;
        if (!line_.empty()) return false;  // trailers are not expected
        state_ = State::kComplete;
        break;
      case State::kComplete:
        return false;
    }
  }
  return true;
}

bool ResponseReader::ReadHeader(std::string_view* bytes) {
  const std::size_t before = line_.size();
  line_.append(*bytes);
  const std::size_t from = before < 3 ? 0 : before - 3;
  const std::size_t end = line_.find("\r\n\r\n", from);
  if (end == line_.npos) {
    bytes->remove_prefix(bytes->size());
    return true;
  }
  bytes->remove_prefix(end + 2 * kLineEnd - before);
  line_.resize(end);
  const bool understood = ParseHeader(line_);
  line_.clear();
  return understood;
}

bool ResponseReader::ParseHeader(std::string_view header) {
  if (!header.starts_with("HTTP/1.1 200 ")) return false;
  if (ValueOf(header, "Transfer-Encoding") == "chunked") {
    state_ = State::kChunkSize;
    return true;
  }
  if (!ParseNumber(ValueOf(header, "Content-Length"), 10, &left_)) return false;
  state_ = left_ > 0 ? State::kBody : State::kComplete;
  return true;
}

// Returns: whether `line_` is a whole line now, without its end.
bool ResponseReader::ReadLine(std::string_view* bytes) {
  const std::size_t newline = bytes->find('\n');
  const std::size_t taken = std::min(newline, bytes->size() - 1) + 1;
  line_.append(bytes->substr(0, taken));
  bytes->remove_prefix(taken);
  if (newline == bytes->npos) return false;
  line_.resize(line_.size() - std::min<std::size_t>(line_.size(), kLineEnd));
  return true;
}

void ResponseReader::ReadBody(std::string_view* bytes) {
  const std::uint64_t taken = std::min<std::uint64_t>(left_, bytes->size());
  bytes->remove_prefix(taken);
  left_ -= taken;
  body_bytes_ += taken;
  if (left_ == 0) state_ = State::kComplete;
}

bool ResponseReader::ReadChunkSize(std::string_view* bytes) {
  if (!ReadLine(bytes)) return true;
  std::uint64_t size = 0;
  if (!ParseNumber(line_, 16, &size)) return false;
  line_.clear();
  body_bytes_ += size;
  left_ = size + kLineEnd;
  state_ = size > 0 ? State::kChunk : State::kChunkEnd;
  return true;
}

void ResponseReader::ReadChunk(std::string_view* bytes) {
  const std::uint64_t taken = std::min<std::uint64_t>(left_, bytes->size());
  bytes->remove_prefix(taken);
  left_ -= taken;
  if (left_ == 0) state_ = State::kChunkSize;
}

}  // namespace sidepress::bench
