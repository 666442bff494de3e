// Which stream of values belongs to a receive: those with the same arguments share one.
//
// The table has a fixed size. When it is full, a new channel takes the place of the one that was
// used longest ago among those that it could share a place with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <tasuki/detail/predict/receive.hpp>

namespace tasuki::predict {

class Channels {
 public:
  /// Requires: a power of two, not less than `ways_count`.
  explicit Channels(std::size_t count);

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

  std::size_t first_place(std::uint64_t signature) const noexcept;

  std::vector<Place> places_;
  std::uint64_t uses_count_ = 0;
};

}  // namespace tasuki::predict
