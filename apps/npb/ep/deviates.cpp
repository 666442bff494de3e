#include "npb/ep/deviates.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "npb/common/random.hpp"

namespace tasuki::npb::ep {
namespace {

constexpr std::uint64_t seed = 271828183;
/// All arrays of a batch stay within the first-level cache.
constexpr std::size_t batch_pairs = 512;

/// Consecutive numbers of a RandomStream, several at once: each of the lanes draws every
/// `lanes`-th number, so that no multiplication waits for the one before.
class WideStream {
 public:
  static constexpr std::size_t lanes = 8;

  /// Begins with the number that `stream` draws next.
  explicit WideStream(RandomStream stream) noexcept {
    for (std::uint64_t& state : states_) {
      stream.next();
      state = stream.state();
    }
    RandomStream power(1);
    power.skip(lanes);
    multiplier_ = power.state();
  }

  /// The next numbers, spread over (-1, 1). Requires: their count is a multiple of `lanes`.
  void draw(std::span<double> numbers) noexcept {
    // The upper bits of the states are never cleared: the lower ones do not depend on them.
    std::array<std::uint64_t, lanes> states = states_;
    for (std::size_t k = 0; k < numbers.size(); k += lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        numbers[k + lane] = spread(states[lane]);
        states[lane] *= multiplier_;
      }
    states_ = states;
  }

 private:
  /// 2 u - 1, exactly, where u is what RandomStream makes of the state: the 46 bits become the
  /// fraction of a double in [1, 2), which takes no conversion.
  static double spread(std::uint64_t state) noexcept {
    constexpr std::uint64_t one = 0x3ff0000000000000;
    constexpr std::uint64_t fraction = 0x000fffffffffffff;
    return 2 * std::bit_cast<double>((state << 6 & fraction) | one) - 3;
  }

  std::array<std::uint64_t, lanes> states_{};
  std::uint64_t multiplier_ = 0;
};

/// The pairs of a batch that lie in the unit circle, and the squares of their distances.
struct Accepted {
  std::array<double, batch_pairs> x;
  std::array<double, batch_pairs> y;
  std::array<double, batch_pairs> square;
  std::size_t count;

  /// Without a branch, which would be mispredicted for every fifth pair.
  void choose(std::span<const double> numbers) noexcept {
    count = 0;
    for (std::size_t k = 0; k < numbers.size(); k += 2) {
      const double distance = numbers[k] * numbers[k] + numbers[k + 1] * numbers[k + 1];
      x[count] = numbers[k];
      y[count] = numbers[k + 1];
      square[count] = distance;
      count += distance <= 1 ? 1 : 0;
    }
  }

  /// Makes deviates of x and y.
  void transform() noexcept {
    for (std::size_t k = 0; k < count; ++k) square[k] = -2 * std::log(square[k]) / square[k];
    for (std::size_t k = 0; k < count; ++k) {
      const double factor = std::sqrt(square[k]);
      x[k] *= factor;
      y[k] *= factor;
    }
  }
};

/// Sums in parts, as neighbours must not wait for each other.
struct Parts {
  static constexpr std::size_t count = 4;

  std::array<double, count> x{};
  std::array<double, count> y{};
  std::array<std::array<std::int64_t, annulus_count>, count> annuli{};

  void add(std::size_t part, double deviate_x, double deviate_y) noexcept {
    x[part] += deviate_x;
    y[part] += deviate_y;
    ++annuli[part][static_cast<std::size_t>(
        static_cast<int>(std::max(std::abs(deviate_x), std::abs(deviate_y))))];
  }

  void add(const Accepted& pairs) noexcept {
    std::size_t k = 0;
    for (; k + count <= pairs.count; k += count)
      for (std::size_t part = 0; part < count; ++part)
        add(part, pairs.x[k + part], pairs.y[k + part]);
    for (; k < pairs.count; ++k) add(0, pairs.x[k], pairs.y[k]);
  }

  DeviateSums total() const noexcept {
    DeviateSums sums;
    for (std::size_t part = 0; part < count; ++part) {
      sums.x += x[part];
      sums.y += y[part];
      for (std::size_t l = 0; l < annulus_count; ++l)
        sums.annuli[l] += static_cast<double>(annuli[part][l]);
    }
    return sums;
  }
};

}  // namespace

DeviateSums sum_deviates(apps::Range pairs) {
  RandomStream random(seed);
  random.skip(2 * static_cast<std::uint64_t>(pairs.begin));
  WideStream stream(random);
  std::array<double, 2 * batch_pairs> numbers;
  Accepted accepted;
  Parts parts;
  for (std::int64_t pair = pairs.begin; pair < pairs.end; pair += batch_pairs) {
    const auto batch = std::min<std::int64_t>(batch_pairs, pairs.end - pair);
    stream.draw(numbers);
    accepted.choose(std::span<const double>(numbers).first(2 * static_cast<std::size_t>(batch)));
    accepted.transform();
    parts.add(accepted);
  }
  return parts.total();
}

}  // namespace tasuki::npb::ep
