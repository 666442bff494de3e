#include "runtime/stress/plan.hpp"

#include <random>

namespace tasuki::test::stress {
namespace {

constexpr int most_fibers = 4;
constexpr int most_operations = 12;
constexpr int most_steps = 8;
constexpr int most_signalled = 6;
constexpr int most_depth = 3;

class Maker {
 public:
  Maker(std::uint64_t seed, int ranks) : random_(seed * 1'000'003 + 17) {
    plan_.seed = seed;
    plan_.ranks = ranks;
    const auto count = static_cast<std::size_t>(ranks);
    plan_.heap_inbox_bytes.resize(count);
    plan_.private_inbox_bytes.resize(count);
    plan_.sync_counts.resize(count);
    plan_.operations.resize(count);
  }

  Plan make() {
    for (auto& fibers : plan_.operations) {
      fibers.resize(1 + below(most_fibers));
      for (auto& operations : fibers) {
        for (std::uint64_t i = below(most_operations); i > 0; --i) {
          operations.push_back(make_operation());
        }
      }
    }
    for (int source = 0; source < plan_.ranks; ++source) {
      if (below(2) == 0) make_signalled(source);
    }
    for (const TeamKind team : {TeamKind::world, TeamKind::halves, TeamKind::reversed}) {
      make_team(team);
    }
    return std::move(plan_);
  }

 private:
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  int any_rank() { return static_cast<int>(below(static_cast<std::uint64_t>(plan_.ranks))); }
  /// Around all limits: of a line, of aggregation, of a message, and beyond.
  std::size_t any_bytes() {
    constexpr std::size_t limits[] = {0, 8, 60, 500, 1100, 4200, 17'000, 70'000};
    return limits[below(std::size(limits))] + below(64);
  }
  std::size_t reserve(std::vector<std::size_t>& inbox_bytes, int target, std::size_t bytes) {
    std::size_t& end = inbox_bytes[static_cast<std::size_t>(target)];
    const std::size_t place = end;
    end += bytes;
    return place;
  }

  Operation make_operation() {
    Operation operation;
    operation.kind = static_cast<Kind>(below(kinds_count));
    operation.target = any_rank();
    operation.value = below(1000);
    switch (operation.kind) {
      case Kind::hop:
      case Kind::any:
        operation.depth = static_cast<int>(below(most_depth + 1));
        break;
      case Kind::large:
        operation.bytes = any_bytes() * (1 + 20 * below(2));
        break;
      case Kind::put:
      case Kind::put_async:
        operation.bytes = any_bytes();
        operation.in_heap = below(2) == 0;
        operation.place =
            reserve(operation.in_heap ? plan_.heap_inbox_bytes : plan_.private_inbox_bytes,
                    operation.target, operation.bytes);
        break;
      case Kind::sync:
        ++plan_.sync_counts[static_cast<std::size_t>(operation.target)];
        break;
      default:
        break;
    }
    return operation;
  }

  void make_signalled(int source) {
    SignalledWrites writes;
    writes.source = source;
    writes.target = any_rank();
    for (std::uint64_t i = 1 + below(most_signalled); i > 0; --i) {
      writes.bytes.push_back(1 + any_bytes());
      writes.places.push_back(reserve(plan_.heap_inbox_bytes, writes.target, writes.bytes.back()));
    }
    plan_.signalled.push_back(std::move(writes));
  }

  void make_team(TeamKind team) {
    TeamPlan plan{team, {}};
    for (std::uint64_t i = below(most_steps); i > 0; --i) {
      constexpr std::size_t counts[] = {0, 1, 7, 600, 9000};
      plan.steps.push_back({static_cast<CollectiveKind>(below(collective_kinds_count)),
                            counts[below(std::size(counts))], below(1000), below(2) == 0});
    }
    plan_.teams.push_back(std::move(plan));
  }

  std::mt19937_64 random_;
  Plan plan_;
};

}  // namespace

Plan make_plan(std::uint64_t seed, int ranks) { return Maker(seed, ranks).make(); }

}  // namespace tasuki::test::stress
