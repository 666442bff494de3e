// How a collective is measured, the same for Tasuki and for an MPI library.
//
// A sample is the mean of a batch of calls, on the slowest rank. Before each batch the ranks
// refresh their data and meet in a barrier; a sample counts if they leave it together
// (late_samples.hpp). Roots go round, so that no root runs ahead of its readers. Thread-safety:
// main thread only.
#pragma once

#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/coll/collective.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "measure/expected_output.hpp"
#include "measure/late_samples.hpp"
#include "measure/request.hpp"

namespace tasuki::measure {

/// What a library has to offer. `run` calls the collective once.
template <class T>
concept Library = requires(T& library, double value, const Request& request,
                           std::vector<float>& data, int root) {
  { library.rank() } -> std::convertible_to<int>;
  { library.size() } -> std::convertible_to<int>;
  library.barrier();
  { library.max(value) } -> std::convertible_to<double>;
  library.run(request, data, data, root);
};

/// Long enough that two readings of the clock and the barrier's last steps do not count.
inline constexpr double batch_least_ns = 20'000;
inline constexpr int batch_most = 1000;

inline std::uint64_t hash_of(const std::vector<float>& data, std::size_t count) {
  std::uint64_t hash = 1469598103934665603U;  // FNV-1a, on the bits
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &data[i], sizeof bits);
    hash = (hash ^ bits) * 1099511628211U;
  }
  return hash >> 12U;  // so that a double holds it exactly
}

/// Are the outputs of all ranks to be the same?
inline bool is_symmetric(coll::Collective collective) {
  return collective == coll::Collective::allreduce || collective == coll::Collective::allgather ||
         collective == coll::Collective::allgatherv || collective == coll::Collective::broadcast;
}

template <Library L>
class Sampler {
 public:
  Sampler(L& library, const Request& request)
      : library_(library),
        request_(request),
        count_(request.message_bytes / sizeof(float)),
        input_(count_ * static_cast<std::size_t>(library.size())),
        output_(input_.size()) {}

  /// What this rank has in its output after one call on data of `seed`.
  const std::vector<float>& call_once(std::uint32_t seed, int root = 0) {
    fill(input_, library_.rank(), seed);
    std::fill(output_.begin(), output_.end(), 0.0F);
    if (request_.collective == coll::Collective::broadcast) output_ = input_;
    library_.run(request_, input_, output_, root);
    return output_;
  }

  /// Checks, then measures. Collective.
  Answer answer() {
    Answer found;
    found.right = is_right();
    found.bits = bits();
    found.same_bits = has_same_bits();
    found.samples_ns = samples_ns();
    return found;
  }

 private:
  /// Have all ranks what the collective's definition says, from the first and the last root?
  bool is_right() {
    bool right = is_right_from(0);
    if (coll::has_root(request_.collective)) right &= is_right_from(library_.size() - 1);
    return library_.max(right ? 0 : 1) == 0;
  }

  /// A hash of this rank's output on fixed data: the order in which sums were made shows in it.
  std::uint64_t bits() {
    call_once(5);
    const bool gathers = request_.collective == coll::Collective::allgather ||
                         request_.collective == coll::Collective::allgatherv;
    return hash_of(output_, gathers ? output_.size() : count_);
  }

  bool has_same_bits() {
    const auto hash = static_cast<double>(bits());
    if (!is_symmetric(request_.collective)) return true;
    const double highest = library_.max(hash);
    const double lowest = -library_.max(-hash);
    return highest == lowest;
  }

  std::vector<double> samples_ns() {
    std::vector<Sample> samples;
    const std::int64_t begin_ns = base::now_ns();
    int batch = 1;
    int root = 0;
    while (static_cast<int>(samples.size()) < request_.samples_most) {
      fill(input_, library_.rank(), static_cast<std::uint32_t>(samples.size()));
      library_.barrier();
      const std::int64_t start_ns = base::now_ns();
      for (int i = 0; i < batch; ++i) {
        library_.run(request_, input_, output_, root);
        root = (root + 1) % library_.size();
      }
      const auto mine_ns = static_cast<double>(base::now_ns() - start_ns);
      const double batch_ns = library_.max(mine_ns);
      const double sample_ns = batch_ns / batch;
      const bool was_trial = batch == 1 && sample_ns < batch_least_ns && !has_trial_;
      has_trial_ = true;
      if (was_trial) {
        batch = static_cast<int>(
            std::clamp(batch_least_ns / std::max(sample_ns, 1.0), 1.0, double{batch_most}));
        continue;  // The first call warms things up.
      }
      samples.push_back({sample_ns, batch_ns, late_start_ns(start_ns)});
      const double spent_s = library_.max(static_cast<double>(base::now_ns() - begin_ns) * 1e-9);
      if (spent_s > request_.seconds_most) break;
    }
    return punctual(samples);
  }

  bool is_right_from(int root) {
    constexpr std::uint32_t seed = 3;
    const CheckedCall call{
        request_.collective, library_.rank(), library_.size(), root, count_, seed};
    return agrees(call_once(seed, root), expected_output(call));
  }

  /// Between the first and the last rank's start, which is `start_ns` here, by one clock.
  double late_start_ns(std::int64_t start_ns) {
    const auto mine_ns = static_cast<double>(start_ns);
    return library_.max(mine_ns) + library_.max(-mine_ns);
  }

  L& library_;
  const Request& request_;
  std::size_t count_;
  std::vector<float> input_;
  std::vector<float> output_;
  bool has_trial_ = false;
};

}  // namespace tasuki::measure
