// Measures encoders alone: CPU time, output size and peak memory per level,
// through the module's codec with recycled memory against the library as other
// modules call it; then the straight lines through the costs that
// brotli_cost.cc and zstd_cost.cc in codecs/ hold.
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "bench/cost_fit.h"
#include "bench/encoder_runs.h"
#include "brotli/brotli_codec.h"
#include "zstd/zstd_codec.h"

namespace sidepress::bench {
namespace {

constexpr char kUsage[] =
    "usage: codec [--codec br|zstd] [--levels FIRST-LAST] [--rounds N]\n"
    "             [--slice BYTES] [--fit-limit BYTES] FILE...\n"
    "Per level and file, ours and the plain library: output bytes, ns of CPU\n"
    "per byte, peak memory. Per level, from beginnings of the files (512 bytes "
    "and\n"
    "up, to --fit-limit): setup ns and ns per byte of the fitted lines.\n";

// A sample is repeated until it took this long.
constexpr double kLeastSampleNs = 4e6;
constexpr std::size_t kLeastBeginning = 512;

struct Options {
  bool zstd = false;
  int first_level = 0;
  int last_level = codecs::kBrotliMaxLevel;
  int rounds = 5;
  std::size_t slice_size = 64 * 1024;
  std::size_t fit_limit = 256 * 1024;
  std::vector<std::string> paths;
};

struct File {
  std::string name;
  std::vector<std::uint8_t> bytes;
};

struct Sample {
  std::size_t output = 0;
  double ns = 0;
};

std::unique_ptr<EncoderRun> OursAt(int level, const Options& options) {
  static const codecs::BrotliCodec brotli;
  static const codecs::ZstdCodec zstd;
  constexpr int kBrotliWindowLog = 19;  // the default of the module
  if (options.zstd) {
    return std::make_unique<RecycledRun>(zstd, level, 0, options.slice_size);
  }
  return std::make_unique<RecycledRun>(brotli, level, kBrotliWindowLog,
                                       options.slice_size);
}

std::unique_ptr<EncoderRun> PlainAt(int level, const Options& options) {
  if (options.zstd) return std::make_unique<PlainZstdRun>(level);
  return std::make_unique<PlainBrotliRun>(level);
}

double CpuNs() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 +
         static_cast<double>(now.tv_nsec);
}

Sample Measure(EncoderRun& run, Bytes input) {
  Sample sample;
  const double start = CpuNs();
  int repeats = 0;
  double spent = 0;
  do {
    sample.output = run.Compress(input);
    ++repeats;
    spent = CpuNs() - start;
  } while (spent < kLeastSampleNs);
  if (sample.output == 0) {
    std::fputs("codec: an encoder failed\n", stderr);
    std::exit(1);
  }
  sample.ns = spent / repeats;
  return sample;
}

// Of each run the median, taken in turns.
std::vector<Sample> MeasureInTurns(const std::vector<EncoderRun*>& runs,
                                   Bytes input, int rounds) {
  std::vector<std::vector<double>> times(runs.size());
  std::vector<Sample> result(runs.size());
  for (EncoderRun* run : runs) run->Compress(input);
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      result[i] = Measure(*runs[i], input);
      times[i].push_back(result[i].ns);
    }
    if (round == 0 && result[0].ns > 1e9) break;  // once is enough
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::sort(times[i].begin(), times[i].end());
    result[i].ns = times[i][times[i].size() / 2];
  }
  return result;
}

void CompareFiles(int level, const std::vector<File>& files,
                  const Options& options) {
  for (const File& file : files) {
    const auto ours = OursAt(level, options);
    const auto plain = PlainAt(level, options);
    const std::vector<Sample> samples =
        MeasureInTurns({ours.get(), plain.get()}, file.bytes, options.rounds);
    const double bytes = static_cast<double>(file.bytes.size());
    std::printf(
        "%5d  %-26s %9zu %9zu %7.3f%%  %8.2f %8.2f %6.3f  %6.1f %6.1f\n", level,
        file.name.c_str(), samples[0].output, samples[1].output,
        100.0 * (static_cast<double>(samples[0].output) /
                     static_cast<double>(samples[1].output) -
                 1),
        samples[0].ns / bytes, samples[1].ns / bytes,
        samples[0].ns / samples[1].ns,
        static_cast<double>(ours->peak_memory()) / (1 << 20),
        static_cast<double>(plain->peak_memory()) / (1 << 20));
    std::fflush(stdout);
  }
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::vector<CostPoint> MeasureBeginnings(int level, const File& file,
                                         const Options& options) {
  std::vector<CostPoint> points;
  const std::size_t most = std::min(file.bytes.size(), options.fit_limit);
  for (std::size_t size = kLeastBeginning; size <= most; size *= 2) {
    const auto ours = OursAt(level, options);
    const Bytes input = Bytes(file.bytes).first(size);
    const Sample sample =
        MeasureInTurns({ours.get()}, input, options.rounds)[0];
    points.push_back({static_cast<double>(size), sample.ns});
  }
  return points;
}

// A line for each file that is long enough, and the medians of the lines.
void FitLevel(int level, const std::vector<File>& files,
              const Options& options) {
  std::vector<double> setups, slopes;
  std::printf("%5d ", level);
  for (const File& file : files) {
    if (file.bytes.size() < options.fit_limit / 4) continue;
    const CostLine line = FitCost(MeasureBeginnings(level, file, options));
    std::printf(" %9.0f + %8.2f", line.setup_ns, line.ns_per_byte);
    setups.push_back(line.setup_ns);
    slopes.push_back(line.ns_per_byte);
  }
  if (!setups.empty()) {
    std::printf("  median %9.0f + %8.2f", Median(setups), Median(slopes));
  }
  std::puts("");
  std::fflush(stdout);
}

bool ReadFile(const std::string& path, File* file) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return false;
  file->name = path.substr(path.rfind('/') + 1);
  file->bytes.assign(std::istreambuf_iterator<char>(stream), {});
  return !file->bytes.empty();
}

bool ParseOptions(int argc, char** argv, Options* options) {
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (!name.starts_with("--")) {
      options->paths.push_back(name);
      continue;
    }
    if (++i == argc) return false;
    if (name == "--codec") {
      options->zstd = std::strcmp(argv[i], "zstd") == 0;
      if (!options->zstd && std::strcmp(argv[i], "br") != 0) return false;
      continue;
    }
    const unsigned long value = std::strtoul(argv[i], nullptr, 10);
    if (name == "--levels") {
      const char* dash = std::strchr(argv[i], '-');
      options->first_level = static_cast<int>(value);
      options->last_level =
          dash != nullptr ? std::atoi(dash + 1) : options->first_level;
    } else if (name == "--rounds" && value > 0) {
      options->rounds = static_cast<int>(value);
    } else if (name == "--slice" && value > 0) {
      options->slice_size = value;
    } else if (name == "--fit-limit") {
      options->fit_limit = value;
    } else {
      return false;
    }
  }
  return !options->paths.empty() && options->first_level >= 0 &&
         options->last_level <=
             (options->zstd ? codecs::kZstdMaxLevel : codecs::kBrotliMaxLevel);
}

int Main(const Options& options) {
  std::vector<File> files(options.paths.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!ReadFile(options.paths[i], &files[i])) {
      std::fprintf(stderr, "codec: cannot read %s\n", options.paths[i].c_str());
      return 1;
    }
  }
  std::puts(
      "level  file                            ours     plain     size"
      "   ns/byte    plain  ratio  MiB    plain");
  for (int level = options.first_level; level <= options.last_level; ++level) {
    CompareFiles(level, files, options);
  }
  std::puts("\nlevel  setup ns + ns/byte, of each file that is long enough");
  for (int level = options.first_level; level <= options.last_level; ++level) {
    FitLevel(level, files, options);
  }
  return 0;
}

}  // namespace
}  // namespace sidepress::bench

int main(int argc, char** argv) {
  sidepress::bench::Options options;
  if (!sidepress::bench::ParseOptions(argc, argv, &options)) {
    std::fputs(sidepress::bench::kUsage, stderr);
    return 2;
  }
  return sidepress::bench::Main(options);
}
