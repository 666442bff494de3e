#include "predict/channels.hpp"

#include <tasuki/detail/base/assert.hpp>

#include <bit>

#include "predict/hash.hpp"

namespace tasuki::predict {
namespace {

/// Of the arguments without the size of the buffer, and of which of them are wildcards.
std::uint64_t signature_of(const Receive& receive) noexcept {
  const Message& arguments = receive.arguments;
  Message named;
  std::uint64_t wildcards = 0;
  const auto keep = [&](Field field) {
    if (receive.given.contains(field)) {
      set_value(named, field, value_of(arguments, field));
    } else {
      wildcards |= std::uint64_t{1} << static_cast<unsigned>(field);
    }
  };
  keep(Field::source);
  keep(Field::tag);
  keep(Field::communicator);
  keep(Field::kind);
  return hash_of(named) + wildcards;
}

}  // namespace

Channels::Channels(std::size_t count) : places_(count) {
  TASUKI_ASSERT(std::has_single_bit(count) && count >= ways_count);
}

std::size_t Channels::first_place(std::uint64_t signature) const noexcept {
  return static_cast<std::size_t>(signature >> 32U) & (places_.size() - 1) & ~(ways_count - 1);
}

std::optional<std::size_t> Channels::find(const Receive& receive) const noexcept {
  const std::uint64_t signature = signature_of(receive);
  const std::size_t first = first_place(signature);
  for (std::size_t place = first; place < first + ways_count; ++place) {
    if (places_[place].signature == signature && places_[place].last_use != 0) return place;
  }
  return std::nullopt;
}

Channels::Claim Channels::claim(const Receive& receive) noexcept {
  const std::uint64_t signature = signature_of(receive);
  const std::size_t first = first_place(signature);
  std::size_t oldest = first;
  ++uses_count_;
  for (std::size_t place = first; place < first + ways_count; ++place) {
    if (places_[place].signature == signature && places_[place].last_use != 0) {
      places_[place].last_use = uses_count_;
      return {place, false};
    }
    if (places_[place].last_use < places_[oldest].last_use) oldest = place;
  }
  places_[oldest] = {signature, uses_count_};
  return {oldest, true};
}

}  // namespace tasuki::predict
