// A straight line through measured costs.
#pragma once

#include <vector>

namespace sidepress::bench {

struct CostPoint {
  double bytes;
  double ns;
};

struct CostLine {
  double setup_ns = 0;
  double ns_per_byte = 0;
};

// The line with the least sum of squared *relative* errors, so that small
// inputs count as much as large ones. Neither value is negative.
CostLine FitCost(const std::vector<CostPoint>& points);

}  // namespace sidepress::bench
