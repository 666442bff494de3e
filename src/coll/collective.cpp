#include <tasuki/detail/coll/collective.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tasuki/error.hpp>

#include <array>
#include <vector>

namespace tasuki::coll {
namespace {

struct Traits {
  Collective collective;
  const char* name;
  bool reduces;
  bool has_root;
  bool varies;
};

constexpr std::array<Traits, collectives_count> traits = {{
    {Collective::barrier, "barrier", false, false, false},
    {Collective::broadcast, "broadcast", false, true, false},
    {Collective::reduce, "reduce", true, true, false},
    {Collective::allreduce, "allreduce", true, false, false},
    {Collective::gather, "gather", false, true, false},
    {Collective::gatherv, "gatherv", false, true, true},
    {Collective::scatter, "scatter", false, true, false},
    {Collective::scatterv, "scatterv", false, true, true},
    {Collective::allgather, "allgather", false, false, false},
    {Collective::allgatherv, "allgatherv", false, false, true},
    {Collective::alltoall, "alltoall", false, false, false},
    {Collective::alltoallv, "alltoallv", false, false, true},
    {Collective::reduce_scatter_block, "reduce_scatter_block", true, false, false},
    {Collective::reduce_scatter, "reduce_scatter", true, false, true},
    {Collective::scan, "scan", true, false, false},
    {Collective::exscan, "exscan", true, false, false},
}};

constexpr auto collectives = [] {
  std::array<Collective, collectives_count> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = traits[i].collective;
  return all;
}();

const Traits& traits_of(Collective collective) noexcept {
  return traits[static_cast<std::size_t>(collective)];
}

}  // namespace

std::span<const Collective> all_collectives() noexcept { return collectives; }

const char* name_of(Collective collective) noexcept { return traits_of(collective).name; }

Collective collective_named(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Traits& entry : traits) {
    if (name == entry.name) return entry.collective;
    known.push_back(entry.name);
  }
  throw error("choosing a collective", fmt::format("there is no collective '{}'", name),
              fmt::format("use one of {}", fmt::join(known, ", ")));
}

bool reduces(Collective collective) noexcept { return traits_of(collective).reduces; }

bool has_root(Collective collective) noexcept { return traits_of(collective).has_root; }

bool varies(Collective collective) noexcept { return traits_of(collective).varies; }

bool needs_all(Collective collective) noexcept {
  const bool needs_lower_ranks_only =
      collective == Collective::scan || collective == Collective::exscan;
  return !has_root(collective) && !varies(collective) && !needs_lower_ranks_only;
}

}  // namespace tasuki::coll
