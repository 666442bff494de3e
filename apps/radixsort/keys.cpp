#include "radixsort/keys.hpp"

#include "common/mixed.hpp"

namespace tasuki::radixsort {

void generate_keys(apps::Range places, std::span<Key> keys) noexcept {
  for (std::size_t index = 0; index < keys.size(); ++index)
    keys[index] = static_cast<Key>(apps::mixed(static_cast<std::uint64_t>(places.begin) + index) >>
                                   (64 - key_bits));
}

std::uint64_t hash_of(std::span<const Key> keys) noexcept {
  std::uint64_t sum = 0;
  for (const Key key : keys) sum += apps::mixed(key);
  return sum;
}

}  // namespace tasuki::radixsort
