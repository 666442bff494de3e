#include <tasuki/detail/coll/collective.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tasuki/error.hpp>

#include <array>
#include <vector>

namespace tasuki::coll {
namespace {

constexpr BufferContents none{Holds::nothing, Holds::nothing};
constexpr BufferContents to_block{Holds::nothing, Holds::block};
constexpr BufferContents from_block{Holds::block, Holds::nothing};
constexpr BufferContents block_to_block{Holds::block, Holds::block};
constexpr BufferContents block_to_all{Holds::block, Holds::all};
constexpr BufferContents all_to_block{Holds::all, Holds::block};
constexpr BufferContents all_to_all{Holds::all, Holds::all};

struct Traits {
  Collective collective;
  const char* name;
  bool reduces;
  bool has_root;
  bool varies;
  BufferContents at_root;  ///< Of all ranks if there is no root.
  BufferContents elsewhere = at_root;
};

constexpr std::array<Traits, collectives_count> traits = {{
    {Collective::barrier, "barrier", false, false, false, none},
    {Collective::broadcast, "broadcast", false, true, false, to_block},
    {Collective::reduce, "reduce", true, true, false, block_to_block, from_block},
    {Collective::allreduce, "allreduce", true, false, false, block_to_block},
    {Collective::gather, "gather", false, true, false, block_to_all, from_block},
    {Collective::gatherv, "gatherv", false, true, true, block_to_all, from_block},
    {Collective::scatter, "scatter", false, true, false, all_to_block, to_block},
    {Collective::scatterv, "scatterv", false, true, true, all_to_block, to_block},
    {Collective::allgather, "allgather", false, false, false, block_to_all},
    {Collective::allgatherv, "allgatherv", false, false, true, block_to_all},
    {Collective::alltoall, "alltoall", false, false, false, all_to_all},
    {Collective::alltoallv, "alltoallv", false, false, true, all_to_all},
    {Collective::reduce_scatter_block, "reduce_scatter_block", true, false, false, all_to_block},
    {Collective::reduce_scatter, "reduce_scatter", true, false, true, all_to_block},
    {Collective::scan, "scan", true, false, false, block_to_block},
    {Collective::exscan, "exscan", true, false, false, block_to_block},
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

bool has_common_count(Collective collective) noexcept {
  return !varies(collective) || collective == Collective::allgatherv ||
         collective == Collective::reduce_scatter;
}

BufferContents contents_of(Collective collective, bool is_root) noexcept {
  return is_root ? traits_of(collective).at_root : traits_of(collective).elsewhere;
}

bool may_be_in_place(Collective collective) noexcept {
  return reduces(collective) && contents_of(collective, true).input == Holds::block;
}

bool needs_all(Collective collective) noexcept {
  const bool needs_lower_ranks_only =
      collective == Collective::scan || collective == Collective::exscan;
  return !has_root(collective) && !varies(collective) && !needs_lower_ranks_only;
}

}  // namespace tasuki::coll
