// Runs one fuzz target over the files of a directory, without libFuzzer:
// every seed stays a regression test in every build.
// Usage: <program> DIRECTORY
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

namespace {

using std::filesystem::path;

std::vector<path> FilesOf(const path& directory) {
  std::vector<path> files;
  std::error_code error;
  for (const auto& entry :
       std::filesystem::directory_iterator(directory, error)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// The bytes in a block of exactly their size, so that AddressSanitizer sees
// every read behind them.
std::vector<std::uint8_t> BytesOf(const path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
  return {bytes.begin(), bytes.end()};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
    return 2;
  }
  const std::vector<path> files = FilesOf(argv[1]);
  for (const path& file : files) {
    std::printf("%s\n", file.c_str());
    std::fflush(stdout);  // names the culprit when the next call aborts
    const std::vector<std::uint8_t> bytes = BytesOf(file);
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
  if (files.empty()) std::fprintf(stderr, "no seeds in %s\n", argv[1]);
  return files.empty() ? 1 : 0;
}
