#include <tasuki/detail/coll/registry.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tasuki/detail/base/assert.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <deque>
#include <iterator>
#include <utility>

#include "coll/registry_rows.hpp"

namespace tasuki::coll {

// Made by CMake from the list of this layer.
std::span<const AlgorithmDescriptor* const> own_algorithms() noexcept;

namespace {

class Registry {
 public:
  Registry() { add(own_algorithms()); }

  void add(const AlgorithmTable& table) {
    const AlgorithmDescriptor* const first = table.algorithms.front();
    if (std::ranges::find(algorithms_, first) != algorithms_.end()) return;
    TASUKI_ASSERT(!rows_were_taken_);
    add(table.algorithms);
    std::ranges::move(table.rows(), std::back_inserter(rows_));
  }

  std::span<const AlgorithmDescriptor* const> algorithms() const { return algorithms_; }
  std::vector<PolicyRow> take_rows() {
    rows_were_taken_ = true;
    return std::move(rows_);
  }

 private:
  void add(std::span<const AlgorithmDescriptor* const> table) {
    for (const AlgorithmDescriptor* algorithm : table) {
      algorithms_.push_back(algorithm);
      if (!algorithm->uneven.has_value()) continue;
      uneven_.push_back(*algorithm);
      uneven_.back().collective = *std::exchange(uneven_.back().uneven, {});
      algorithms_.push_back(&uneven_.back());
    }
    std::ranges::stable_sort(algorithms_, {}, &AlgorithmDescriptor::collective);
  }

  std::vector<const AlgorithmDescriptor*> algorithms_;
  std::deque<AlgorithmDescriptor> uneven_;  ///< The same once more for blocks of different sizes.
  std::vector<PolicyRow> rows_;             ///< Of the tables that were added.
  bool rows_were_taken_ = false;
};

Registry& registry() {
  static Registry all;
  return all;
}

template <class Wanted>
std::vector<const AlgorithmDescriptor*> those(Wanted wanted) {
  std::vector<const AlgorithmDescriptor*> found;
  std::ranges::copy_if(registry().algorithms(), std::back_inserter(found), wanted);
  return found;
}

}  // namespace

void add_algorithms(const AlgorithmTable& table) { registry().add(table); }

std::vector<PolicyRow> take_added_rows() { return registry().take_rows(); }

std::span<const AlgorithmDescriptor* const> all_algorithms() { return registry().algorithms(); }

std::vector<const AlgorithmDescriptor*> algorithms_on(Medium medium) {
  return those([&](const auto* algorithm) { return algorithm->medium() == medium; });
}

std::vector<const AlgorithmDescriptor*> algorithms_of(Collective collective) {
  return those([&](const auto* algorithm) { return algorithm->collective == collective; });
}

const AlgorithmDescriptor& algorithm_named(Collective collective, std::string_view name) {
  for (const AlgorithmDescriptor* algorithm : registry().algorithms()) {
    if (collective == algorithm->collective && name == algorithm->name) return *algorithm;
  }
  std::vector<std::string_view> known;
  for (const auto* algorithm : algorithms_of(collective)) known.emplace_back(algorithm->name);
  throw error(fmt::format("choosing an algorithm for {}", name_of(collective)),
              fmt::format("there is none called '{}'", name),
              fmt::format("use one of {}", fmt::join(known, ", ")));
}

}  // namespace tasuki::coll
