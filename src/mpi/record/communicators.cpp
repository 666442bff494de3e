#include "mpi/record/communicators.hpp"

#include <algorithm>

namespace tasuki::mpi::record {
namespace {

/// One step of FNV-1a (Fowler, Noll, Vo 1991), by words.
std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) noexcept {
  constexpr std::uint64_t prime = 0x100000001B3;
  hash = (hash ^ word) * prime;
  return hash ^ (hash >> 32);
}

}  // namespace

std::uint64_t key_of_made(std::uint64_t parent_key, std::uint32_t made,
                          const std::vector<std::int32_t>& world_ranks) noexcept {
  constexpr std::uint64_t offset_basis = 0xCBF29CE484222325;
  std::uint64_t hash = mixed(mixed(offset_basis, parent_key), made);
  // Both sides of an intercommunicator see the other's ranks: only what is the same for both
  // counts.
  std::vector<std::int32_t> sorted = world_ranks;
  std::sort(sorted.begin(), sorted.end());
  for (const std::int32_t rank : sorted) hash = mixed(hash, static_cast<std::uint32_t>(rank));
  return hash;
}

}  // namespace tasuki::mpi::record
