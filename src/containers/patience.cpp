#include <tasuki/detail/containers/patience.hpp>

#include <algorithm>
#include <tasuki/detail/base/clock.hpp>

namespace tasuki::containers {
namespace {

/// As long as a rank that has nothing to do may wait for an answer.
constexpr std::int64_t wanted_ns = 10'000;
constexpr std::int64_t count_most = std::int64_t{1} << 20;

}  // namespace

void Patience::renew() noexcept {
  const std::int64_t now_ns = base::now_ns();
  const std::int64_t taken_ns = now_ns - begin_ns_;
  if (taken_ns < wanted_ns / 2) {
    count_ = std::min(2 * count_, count_most);
  } else if (taken_ns > wanted_ns) {
    count_ = std::max<std::int64_t>(count_ / 2, 1);
  }
  left_count_ = count_;
  begin_ns_ = now_ns;
}

}  // namespace tasuki::containers
