// Which stream of values belongs to a receive: those with the same arguments share one.
//
// The table has a fixed size. When it is full, a new channel takes the place of the one that was
// used longest ago among those that it could share a place with. All is inline, as it is called
// twice for each message.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <tasuki/detail/base/assert.hpp>
#include <tasuki/detail/predict/receive.hpp>

#include "predict/hash.hpp"

namespace tasuki::predict {

class Channels {
 public:
  /// Requires: a power of two, not less than `ways_count`.
  explicit Channels(std::size_t count) : places_(count) {
    TASUKI_ASSERT(std::has_single_bit(count) && count >= ways_count);
  }

  std::size_t count() const noexcept { return places_.size(); }

  /// The stream of the receive, if it has one.
  std::optional<std::size_t> find(const Receive& receive) const noexcept;

  struct Claim {
    std::size_t stream;
    bool is_new;  ///< Nothing that was learned of the stream before holds any more.
  };
  Claim claim(const Receive& receive) noexcept;

  /// How many places a channel may have.
  static constexpr std::size_t ways_count = 4;

 private:
  struct Place {
    std::uint64_t signature = 0;
    std::uint64_t last_use = 0;  ///< 0: the place is free.
  };

  static std::uint64_t signature_of(const Receive& receive) noexcept;
  std::size_t first_place(std::uint64_t signature) const noexcept;
  const Place* place_of(std::uint64_t signature) const noexcept;

  std::vector<Place> places_;
  std::uint64_t uses_count_ = 0;
};

/// Of the arguments without the size of the buffer, and of which of them are wildcards.
inline std::uint64_t Channels::signature_of(const Receive& receive) noexcept {
  const Message& arguments = receive.arguments;
  const auto named = [&](Field field, std::uint32_t value) {
    return receive.given.contains(field) ? value : 0U;
  };
  const FieldSet wildcards = FieldSet::all().without(receive.given).erase(Field::message_bytes);
  return hash_of(two_words(named(Field::source, static_cast<std::uint32_t>(arguments.source)),
                           named(Field::tag, static_cast<std::uint32_t>(arguments.tag))),
                 two_words(named(Field::communicator, arguments.communicator),
                           named(Field::kind, arguments.kind)),
                 wildcards.bits() + 1);
}

inline std::size_t Channels::first_place(std::uint64_t signature) const noexcept {
  return static_cast<std::size_t>(signature >> 40U) & (places_.size() - 1) & ~(ways_count - 1);
}

inline const Channels::Place* Channels::place_of(std::uint64_t signature) const noexcept {
  const Place* const first = &places_[first_place(signature)];
  for (const Place* place = first; place < first + ways_count; ++place) {
    if (place->signature == signature && place->last_use != 0) return place;
  }
  return nullptr;
}

inline std::optional<std::size_t> Channels::find(const Receive& receive) const noexcept {
  const Place* const place = place_of(signature_of(receive));
  if (place == nullptr) return std::nullopt;
  return static_cast<std::size_t>(place - places_.data());
}

inline Channels::Claim Channels::claim(const Receive& receive) noexcept {
  const std::uint64_t signature = signature_of(receive);
  ++uses_count_;
  if (const Place* const found = place_of(signature)) {
    const auto stream = static_cast<std::size_t>(found - places_.data());
    places_[stream].last_use = uses_count_;
    return {stream, false};
  }
  const std::size_t first = first_place(signature);
  std::size_t oldest = first;
  for (std::size_t place = first; place < first + ways_count; ++place) {
    if (places_[place].last_use < places_[oldest].last_use) oldest = place;
  }
  places_[oldest] = {signature, uses_count_};
  return {oldest, true};
}

}  // namespace tasuki::predict
