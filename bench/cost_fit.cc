#include "bench/cost_fit.h"

#include <algorithm>

namespace sidepress::bench {

// Minimises the sum of (setup / ns + per_byte * bytes / ns - 1)^2.
CostLine FitCost(const std::vector<CostPoint>& points) {
  double aa = 0, ab = 0, bb = 0, a1 = 0, b1 = 0;
  for (const CostPoint& point : points) {
    const double a = 1 / point.ns;
    const double b = point.bytes / point.ns;
    aa += a * a;
    ab += a * b;
    bb += b * b;
    a1 += a;
    b1 += b;
  }
  const double determinant = aa * bb - ab * ab;
  if (determinant <= 0) return {0, bb > 0 ? b1 / bb : 0};
  const double setup = (a1 * bb - b1 * ab) / determinant;
  if (setup < 0) return {0, b1 / bb};
  const double slope = (b1 * aa - a1 * ab) / determinant;
  return {setup, std::max(slope, 0.0)};
}

}  // namespace sidepress::bench
