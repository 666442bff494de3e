#include <tasuki/detail/predict/wait_histogram.hpp>

#include <algorithm>
#include <bit>
#include <numeric>

namespace tasuki::predict {
namespace {

std::size_t bucket_of(std::int64_t wait_ns) noexcept {
  const auto width = std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(wait_ns, 1)));
  return std::min(static_cast<std::size_t>(width) - 1, WaitHistogram::buckets_count - 1);
}

}  // namespace

void WaitHistogram::add(std::int64_t wait_ns) noexcept {
  ++counts_[bucket_of(wait_ns)];
  if (++waits_count_ < waits_most) return;
  for (std::uint32_t& count : counts_) count /= 2;
  waits_count_ = std::accumulate(counts_.begin(), counts_.end(), 0U);
}

std::optional<std::int64_t> WaitHistogram::remaining_ns(std::int64_t elapsed_ns,
                                                        double share) const noexcept {
  const std::size_t first = bucket_of(elapsed_ns);
  // Of the waits in this bucket some may have been over by now: it counts as a whole, to be
  // careful.
  const std::uint32_t longer_count =
      std::accumulate(counts_.begin() + static_cast<std::ptrdiff_t>(first), counts_.end(), 0U);
  if (longer_count == 0) return std::nullopt;
  std::uint32_t ended_count = 0;
  for (std::size_t bucket = first; bucket < buckets_count; ++bucket) {
    ended_count += counts_[bucket];
    if (ended_count > share * longer_count) {
      const std::int64_t begin_ns = std::int64_t{1} << bucket;
      return std::max<std::int64_t>(begin_ns - elapsed_ns, 0);
    }
  }
  return std::nullopt;
}

}  // namespace tasuki::predict
