#include "http_policy/accept_encoding.h"

#include <algorithm>
#include <optional>

#include "http_policy/header_lexer.h"

namespace sidepress::http_policy {
namespace {

constexpr int kRefused = 0;
constexpr int kFullWeight = 1000;

// The index is a Coding.
constexpr std::array<std::string_view, kCodingCount> kNames = {
    "identity", "gzip", "br", "zstd"};

constexpr std::size_t Index(Coding coding) noexcept {
  return static_cast<std::size_t>(coding);
}

std::optional<Coding> FindCoding(std::string_view token) noexcept {
  for (std::size_t at = 0; at < kNames.size(); ++at) {
    if (EqualsIgnoringCase(token, kNames[at])) return static_cast<Coding>(at);
  }
  if (EqualsIgnoringCase(token, "x-gzip")) return Coding::kGzip;
  return std::nullopt;
}

// qvalue = ( "0" [ "." 0*3DIGIT ] ) / ( "1" [ "." 0*3("0") ] )
// Returns: thousandths; kRefused when the text is malformed.
int ParseQualityValue(std::string_view text) noexcept {
  constexpr std::size_t kLongest = 5;  // "0.123"
  if (text.empty() || text.size() > kLongest) return kRefused;
  if (text[0] != '0' && text[0] != '1') return kRefused;
  if (text.size() > 1 && text[1] != '.') return kRefused;

  int weight = text[0] == '1' ? kFullWeight : 0;
  int unit = kFullWeight / 10;
  for (std::size_t at = 2; at < text.size(); ++at, unit /= 10) {
    if (text[at] < '0' || text[at] > '9') return kRefused;
    weight += (text[at] - '0') * unit;
  }
  return weight <= kFullWeight ? weight : kRefused;
}

// weight = "q=" qvalue, with no white space around the "=".
// REQUIRES: the parameter begins with the token "q".
int ParseWeight(std::string_view parameter) noexcept {
  parameter.remove_prefix(1);
  if (!parameter.starts_with('=')) return kRefused;
  parameter.remove_prefix(1);
  return ParseQualityValue(parameter);
}

// Returns: the weight among the parameters of a member.
int FindWeight(std::string_view parameters) noexcept {
  std::optional<int> weight;
  while (!parameters.empty()) {
    const std::string_view parameter = CutItem(parameters, ';');
    if (!EqualsIgnoringCase(LeadingToken(parameter), "q")) continue;
    if (weight.has_value()) return kRefused;
    weight = ParseWeight(parameter);
  }
  return weight.value_or(kFullWeight);
}

}  // namespace

std::string_view CodingName(Coding coding) noexcept {
  return kNames[Index(coding)];
}

void AcceptedCodings::AddLine(std::string_view header_line_value) noexcept {
  present_ = true;
  while (!header_line_value.empty()) {
    AddMember(CutItem(header_line_value, ','));
  }
}

void AcceptedCodings::AddMember(std::string_view member) noexcept {
  const std::optional<Coding> coding = FindCoding(CutItem(member, ';'));
  if (!coding.has_value()) return;
  const int weight = FindWeight(member);
  int& known = weights_[Index(*coding)];
  const bool refused = known == kRefused || weight == kRefused;
  known = refused ? kRefused : std::max(known, weight);
}

int AcceptedCodings::Weight(Coding coding) const noexcept {
  return std::max(weights_[Index(coding)], kRefused);
}

}  // namespace sidepress::http_policy
