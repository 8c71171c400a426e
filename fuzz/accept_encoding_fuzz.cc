// Accept-Encoding and the election, for any bytes. The input is the header
// lines of one request, one a line.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "http_policy/accept_encoding.h"
#include "http_policy/coding_election.h"
#include "require.h"

namespace {

using sidepress::fuzz::Require;
using namespace sidepress::http_policy;

constexpr Coding kCodings[] = {Coding::kIdentity, Coding::kGzip,
                               Coding::kBrotli, Coding::kZstd};

using Lines = std::vector<std::string_view>;

Lines SplitLines(std::string_view text) {
  Lines lines;
  for (;;) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    if (end == text.size()) return lines;
    text.remove_prefix(end + 1);
  }
}

// Each line from a block of exactly its size.
AcceptedCodings Parse(const Lines& lines) {
  AcceptedCodings accepted;
  for (const std::string_view line : lines) {
    const std::vector<char> copy(line.begin(), line.end());
    accepted.AddLine({copy.data(), copy.size()});
  }
  return accepted;
}

void RequireEqual(const AcceptedCodings& left, const AcceptedCodings& right) {
  for (const Coding coding : kCodings) {
    Require(left.Weight(coding) == right.Weight(coding));
  }
}

void CheckWeights(const AcceptedCodings& accepted) {
  for (const Coding coding : kCodings) {
    const int weight = accepted.Weight(coding);
    Require(weight >= 0 && weight <= 1000);
    Require(accepted.Accepts(coding) == (weight > 0));
  }
}

// The elected coding is offered and accepted, and no other is liked more.
void CheckElection(const AcceptedCodings& accepted, CodingSet offered) {
  const Coding elected = ElectCoding(accepted, offered, kDefaultPreference);
  const bool encoded = elected != Coding::kIdentity;
  if (encoded) Require(offered.Has(elected) && accepted.Accepts(elected));
  for (const Coding coding : kCodings) {
    if (coding == Coding::kIdentity || !offered.Has(coding)) continue;
    const int weight = encoded ? accepted.Weight(elected) : 0;
    Require(accepted.Weight(coding) <= weight);
  }
}

void CheckElections(const AcceptedCodings& accepted) {
  for (unsigned subset = 0; subset < 1U << kCodingCount; ++subset) {
    CodingSet offered;
    for (const Coding coding : kCodings) {
      const unsigned bit = 1U << static_cast<unsigned>(coding);
      if ((subset & bit) != 0) offered.Add(coding);
    }
    CheckElection(accepted, offered);
  }
}

// A line that is cut at a comma of its list means the same as two lines.
void CheckSplits(std::string_view line) {
  const AcceptedCodings whole = Parse({line});
  int left_to_try = 16;
  bool quoted = false;
  bool escaped = false;
  for (std::size_t at = 0; at < line.size() && left_to_try > 0; ++at) {
    const char c = line[at];
    if (!escaped && c == '"') quoted = !quoted;
    escaped = quoted && !escaped && c == '\\';
    if (quoted || c != ',') continue;
    RequireEqual(Parse({line.substr(0, at), line.substr(at + 1)}), whole);
    RequireEqual(Parse({line.substr(at + 1), line.substr(0, at)}), whole);
    --left_to_try;
  }
}

// Whatever else was said, a refusal is final.
void CheckRefusals(AcceptedCodings accepted) {
  for (const Coding coding : kCodings) {
    accepted.AddLine(std::string(CodingName(coding)) + ";q=0");
    Require(!accepted.Accepts(coding));
    accepted.AddLine(CodingName(coding));
    Require(!accepted.Accepts(coding));
  }
}

std::string UpperCase(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return upper;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Lines lines = SplitLines(text);
  const AcceptedCodings accepted = Parse(lines);
  CheckWeights(accepted);
  CheckElections(accepted);
  CheckRefusals(accepted);
  for (const std::string_view line : lines) CheckSplits(line);
  RequireEqual(Parse(SplitLines(UpperCase(text))), accepted);
  return 0;
}
