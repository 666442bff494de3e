// Every algorithm as data: all ranks' results at 1..33 ranks, against the definition of the
// collective, and rounds and bytes against the formula beside the algorithm.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tasuki/detail/base/sanitizers.hpp>
#include <tasuki/detail/coll/placement.hpp>
#include <tasuki/detail/coll/registry.hpp>
#include <tasuki/detail/coll/simulator.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "checker.hpp"

namespace tasuki::coll {
namespace {

/// All up to 33. A sanitizer looks for wrong addresses, which do not need many ranks to show.
std::vector<int> tried_rank_counts() {
#ifdef TASUKI_ASAN
  return {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17};
#else
  std::vector<int> counts(33);
  std::iota(counts.begin(), counts.end(), 1);
  return counts;
#endif
}

/// Which values of each parameter are tried beside the default.
const std::map<std::string, std::vector<std::int64_t>>& tried_values() {
  static const std::map<std::string, std::vector<std::int64_t>> values = {
      {"radix", {3, 4, 7}},
      {"segment_bytes", {0, 64}},
      {"outstanding", {1, 3, 100}},
      {"chains", {1, 2, 9}},
  };
  return values;
}

std::vector<Parameters> parameter_choices(const AlgorithmDescriptor& algorithm) {
  std::vector<Parameters> choices = {complete(algorithm, {})};
  for (const ParameterDeclaration& parameter : algorithm.parameters) {
    const auto found = tried_values().find(parameter.name);
    EXPECT_NE(found, tried_values().end()) << "say which values to try for " << parameter.name;
    if (found == tried_values().end()) continue;
    for (const std::int64_t value : found->second) {
      Parameters changed = choices.front();
      changed.set(parameter.name, value);
      choices.push_back(changed);
    }
  }
  return choices;
}

std::vector<std::size_t> counts_for(int ranks) {
  const auto p = static_cast<std::size_t>(ranks);
  std::vector<std::size_t> counts = {0, 1, p - 1, p, 1000};
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

std::vector<int> roots_for(Collective collective, int ranks) {
  if (!has_root(collective)) return {0};
  std::vector<int> roots = {0, ranks / 2, ranks - 1};
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
  return roots;
}

std::vector<const checker::Field*> fields_for(Collective collective) {
  if (reduces(collective)) return {&checker::integers(), &checker::matrices()};
  return {&checker::integers()};
}

/// How much `from` sends to `to` in v-forms: irregular, and nothing now and then.
std::size_t varied(std::size_t count, int from, int to) {
  const int pick = (from * 7 + to * 13) % 5;
  return pick == 0 ? 0 : count * static_cast<std::size_t>(pick) / 4 + 1;
}

/// Blocks in reverse order with gaps of one element.
std::vector<std::size_t> scattered(const std::vector<std::size_t>& counts) {
  std::vector<std::size_t> displacements(counts.size());
  std::size_t next = 1;
  for (std::size_t i = counts.size(); i-- > 0;) {
    displacements[i] = next;
    next += counts[i] + 1;
  }
  return displacements;
}

/// How the blocks of v-forms lie.
enum class Layout { equal, varied, gaps };

void set_varying_counts(Collective collective, Shape& shape, std::size_t count, Layout layout) {
  const bool all_pairs = collective == Collective::alltoallv;
  const int self_or_root = all_pairs ? shape.rank : shape.root;
  for (int other = 0; other < shape.ranks; ++other) {
    const bool equal = layout == Layout::equal;
    shape.send_counts.push_back(equal ? count : varied(count, self_or_root, other));
    shape.receive_counts.push_back(equal ? count : varied(count, other, self_or_root));
  }
  const auto self = static_cast<std::size_t>(shape.rank);
  shape.count =
      collective == Collective::scatterv ? shape.send_counts[self] : shape.receive_counts[self];
  if (layout != Layout::gaps || collective == Collective::reduce_scatter) return;
  shape.send_displacements = scattered(shape.send_counts);
  shape.receive_displacements = scattered(shape.receive_counts);
}

struct Variant {
  int ranks = 1;
  int root = 0;
  std::size_t count = 0;
  const checker::Field* field = nullptr;
  bool in_place = false;
  Layout layout = Layout::equal;
  const Placement* placement = nullptr;
};

std::vector<Shape> shapes_of(Collective collective, const Variant& variant) {
  std::vector<Shape> shapes;
  for (int rank = 0; rank < variant.ranks; ++rank) {
    Shape& shape = shapes.emplace_back();
    shape.ranks = variant.ranks;
    shape.rank = rank;
    shape.root = variant.root;
    shape.element_bytes = variant.field->element_bytes;
    shape.count = collective == Collective::barrier ? 0 : variant.count;
    shape.commutative = variant.field->commutative;
    shape.in_place = variant.in_place;
    shape.placement = variant.placement;
    if (varies(collective)) set_varying_counts(collective, shape, variant.count, variant.layout);
  }
  return shapes;
}

bool has_in_place_form(Collective collective) {
  return collective == Collective::reduce || collective == Collective::allreduce ||
         collective == Collective::scan || collective == Collective::exscan;
}

std::vector<Variant> variants_for(Collective collective, int ranks) {
  std::vector<Variant> variants;
  for (const std::size_t count : counts_for(ranks)) {
    for (const int root : roots_for(collective, ranks)) {
      for (const checker::Field* field : fields_for(collective)) {
        variants.push_back({ranks, root, count, field, false, Layout::equal});
        // The extra forms at one long and one short count are enough.
        if (count != 1000 && count != static_cast<std::size_t>(ranks)) continue;
        if (has_in_place_form(collective)) {
          variants.push_back({ranks, root, count, field, true, Layout::equal});
        }
        if (varies(collective)) {
          variants.push_back({ranks, root, count, field, false, Layout::varied});
          variants.push_back({ranks, root, count, field, false, Layout::gaps});
        }
      }
    }
  }
  return variants;
}

bool knows_nodes(const AlgorithmDescriptor& algorithm) {
  return std::string_view(algorithm.name).starts_with("two_level");
}

/// Where the ranks are: for algorithms that know nodes, in order, round the nodes, and with one
/// rank less on some of them.
std::vector<Placement> placements_for(const AlgorithmDescriptor& algorithm, int ranks) {
  if (!knows_nodes(algorithm)) return {};
  std::vector<int> around;
  for (int rank = 0; rank < ranks; ++rank) around.push_back(rank % 3);
  return {Placement::in_order(ranks, 2), Placement::in_order(ranks, 4),
          Placement::in_order(ranks, (ranks + 1) / 2), Placement(around)};
}

/// Four ranks on each node; empty for algorithms that know none.
std::optional<Placement> placement_for(const AlgorithmDescriptor& algorithm, int ranks) {
  return knows_nodes(algorithm) ? std::optional(Placement::in_order(ranks, 4)) : std::nullopt;
}

/// Long vectors at most numbers of ranks: with the default parameters only.
bool is_costly(const Variant& variant) {
  constexpr int kept[] = {2, 3, 4, 8, 13, 33};
  return variant.count == 1000 &&
         std::find(std::begin(kept), std::end(kept), variant.ranks) == std::end(kept);
}

/// Is no block empty, whichever way a vector is cut?
bool everything_travels(Collective collective, const Variant& variant) {
  if (collective == Collective::barrier) return true;
  return variant.layout == Layout::equal &&
         variant.count >= static_cast<std::size_t>(variant.ranks);
}

CostFunction cost_function_of(const AlgorithmDescriptor& algorithm) {
  if (const auto* after = std::get_if<AfterSizeExchange>(&algorithm.way)) return after->cost;
  return std::get<BySchedule>(algorithm.way).cost;
}

void check_cost(const checker::Case& one, const std::vector<Schedule>& schedules,
                const Variant& variant) {
  const Cost stated = cost_function_of(*one.algorithm)(one.shapes, one.parameters);
  const Cost measured = checker::measured_cost(schedules, stated.ports);
  EXPECT_EQ(measured.elements, stated.elements) << one.to_text();
  if (everything_travels(one.algorithm->collective, variant)) {
    if (stated.is_bound) {
      EXPECT_LE(measured.rounds, stated.rounds) << one.to_text();
    } else {
      EXPECT_EQ(measured.rounds, stated.rounds) << one.to_text();
    }
  }
}

class AlgorithmTest : public testing::TestWithParam<const AlgorithmDescriptor*> {
 protected:
  /// Returns: was the algorithm applicable?
  bool check_variant(const Variant& variant, const Parameters& parameters) {
    const AlgorithmDescriptor& algorithm = *GetParam();
    checker::Case one{&algorithm,    parameters, shapes_of(algorithm.collective, variant),
                      variant.field, seed_,      seed_};
    ++seed_;
    bool applicable = false;
    for (const Shape& shape : one.shapes) {
      const bool here = algorithm.not_applicable_because(shape, parameters).empty();
      EXPECT_TRUE(shape.rank == 0 || here == applicable) << one.to_text() << ": ranks disagree";
      applicable = here;
    }
    if (!applicable) {
      EXPECT_THROW(make_schedule(algorithm, one.shapes.front(), parameters), error);
      return false;
    }
    const std::vector<Schedule> schedules = make_schedules(algorithm, one.shapes, parameters);
    const auto outcome = checker::run(one, schedules);
    EXPECT_EQ(outcome.failure, "");
    if (outcome.failure.empty()) check_cost(one, schedules, variant);
    return true;
  }

  std::uint64_t seed_ = 1;
};

TEST_P(AlgorithmTest, GivesTheResultAndTheCostItStates) {
  const AlgorithmDescriptor& algorithm = *GetParam();
  int applicable = 0;
  bool by_default = true;
  for (const Parameters& parameters : parameter_choices(algorithm)) {
    for (const int ranks : tried_rank_counts()) {
      const std::vector<Placement> placements = placements_for(algorithm, ranks);
      for (Variant variant : variants_for(algorithm.collective, ranks)) {
        if (!by_default && is_costly(variant)) continue;
        for (std::size_t i = 0; i == 0 || i < placements.size(); ++i) {
          if (!placements.empty()) variant.placement = &placements[i];
          if (check_variant(variant, parameters)) ++applicable;
          if (HasFailure()) return;
        }
      }
    }
    by_default = false;
  }
  EXPECT_GT(applicable, 0);
}

/// The size exchange by itself: sizes go in, one for each rank, and those of others come out.
TEST_P(AlgorithmTest, ExchangesSizesInAsManyRoundsAsItTakes) {
  const AlgorithmDescriptor& algorithm = *GetParam();
  if (!algorithm.exchanges_sizes()) return;
  for (const Parameters& parameters : parameter_choices(algorithm)) {
    for (const int ranks : tried_rank_counts()) {
      const Variant variant{ranks, 0, 100, &checker::integers(), false, Layout::equal};
      const auto shapes = shapes_of(algorithm.collective, variant);
      std::vector<Schedule> exchanges;
      for (const Shape& shape : shapes) {
        exchanges.push_back(make_schedule(algorithm, shape, parameters));
        Shape sizes = shape;
        sizes.send_counts.assign(static_cast<std::size_t>(ranks), 1);
        sizes.receive_counts.assign(static_cast<std::size_t>(ranks), 0);
        sizes.receive_counts.front() = exchanged_sizes_count(algorithm, shape, parameters);
        EXPECT_EQ(checker::validate(exchanges.back(), algorithm.collective, sizes), "");
      }
      EXPECT_EQ(checker::measured_cost(exchanges).rounds,
                cost_function_of(algorithm)(shapes, parameters).rounds);
    }
  }
}

class ReducingAlgorithmTest : public testing::TestWithParam<const AlgorithmDescriptor*> {};

TEST_P(ReducingAlgorithmTest, GivesTheSameBitsOnEveryRankAndInEveryOrder) {
  const AlgorithmDescriptor& algorithm = *GetParam();
  for (const int ranks : {1, 2, 3, 5, 8, 13, 16, 33}) {
    const std::optional<Placement> placement = placement_for(algorithm, ranks);
    Variant variant{ranks, 0, 100, &checker::doubles(), false, Layout::equal};
    if (placement) variant.placement = &*placement;
    checker::Case one{&algorithm,
                      complete(algorithm, {}),
                      shapes_of(algorithm.collective, variant),
                      variant.field,
                      1,
                      1};
    if (!algorithm.not_applicable_because(one.shapes.front(), one.parameters).empty()) continue;
    std::vector<Schedule> schedules;
    for (const Shape& shape : one.shapes) schedules.push_back(make_schedule(algorithm, shape));
    const auto first = checker::run(one, schedules);
    one.order_seed = 2;
    const auto second = checker::run(one, schedules);
    ASSERT_EQ(first.failure, "");
    EXPECT_EQ(first.outputs, second.outputs) << one.to_text();
    if (algorithm.collective != Collective::allreduce) continue;
    for (const checker::Bytes& output : first.outputs) {
      EXPECT_EQ(output, first.outputs.front()) << one.to_text();
    }
  }
}

TEST_P(ReducingAlgorithmTest, CombinesInRankOrderIfItSaysSo) {
  const AlgorithmDescriptor& algorithm = *GetParam();
  const bool in_rank_order = algorithm.order == Order::ranks;
  // Some algorithms need as many ranks on each node.
  const int any_count = knows_nodes(algorithm) ? 12 : 13;
  const std::vector<int> rank_counts = in_rank_order ? tried_rank_counts() : std::vector{any_count};
  for (const int ranks : rank_counts) {
    const std::optional<Placement> placement = placement_for(algorithm, ranks);
    for (const Variant& variant : variants_for(algorithm.collective, ranks)) {
      if (variant.field != &checker::integers() || variant.count == 0) continue;
      // Of few elements an algorithm may combine all in rank order by chance.
      if (!in_rank_order && variant.count != 1000) continue;
      Variant shown = variant;
      shown.field = &checker::orders();
      if (placement) shown.placement = &*placement;
      checker::Case one{&algorithm,
                        complete(algorithm, {}),
                        shapes_of(algorithm.collective, shown),
                        shown.field,
                        1,
                        1};
      const auto outcome = checker::run(one);
      EXPECT_EQ(outcome.failure.empty(), in_rank_order) << one.to_text() << outcome.failure;
      for (Shape& shape : one.shapes) shape.reproducible = true;
      EXPECT_EQ(not_usable_because(algorithm, one.shapes.front(), one.parameters).empty(),
                in_rank_order);
      if (HasFailure()) return;
    }
  }
}

std::vector<const AlgorithmDescriptor*> reductions() {
  std::vector<const AlgorithmDescriptor*> chosen;
  for (const AlgorithmDescriptor* algorithm : algorithms_on(Medium::messages)) {
    if (reduces(algorithm->collective)) chosen.push_back(algorithm);
  }
  return chosen;
}

std::string test_name(const testing::TestParamInfo<const AlgorithmDescriptor*>& info) {
  return fmt::format("{}_{}", name_of(info.param->collective), info.param->name);
}

INSTANTIATE_TEST_SUITE_P(All, AlgorithmTest, testing::ValuesIn(algorithms_on(Medium::messages)),
                         test_name);
INSTANTIATE_TEST_SUITE_P(All, ReducingAlgorithmTest, testing::ValuesIn(reductions()), test_name);

}  // namespace
}  // namespace tasuki::coll
