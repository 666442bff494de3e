// A rank's block of an Array together with a frame of elements of its neighbours: what a stencil
// reads.
//
// The array is divided by Block and Whole. All ranks of its team make the halo and exchange
// elements together.
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tasuki/collectives.hpp>
#include <tasuki/containers/array.hpp>
#include <tasuki/detail/containers/box_exchange.hpp>
#include <tasuki/detail/containers/exchange.hpp>
#include <tasuki/detail/containers/halo_parts.hpp>

namespace tasuki {

/// Copies of the elements at most `width` indices beside the rank's block in any direction, corners
/// included, as far as the array goes, and of the block. Example: examples/heat.cpp
///     tasuki::Array<double> heat({8, 8}, {tasuki::Block{}, tasuki::Block{}});
///     tasuki::Halo<double> halo(heat, 1);
///     halo.exchange();  // after each change of the array
///     heat.local_for_all([&](std::span<const std::int64_t> at, double& element) {
///       if (halo.has(at[0] + 1, at[1])) element += halo(at[0] + 1, at[1]);
///     });
template <class T>
class Halo {
 public:
  /// Collective. Requires: the array outlives it. Throws tasuki::error if a dimension of the array
  /// is cyclic; on all ranks if one has no room.
  Halo(const Array<T>& array, std::int64_t width)
      : array_(array),
        parts_(array.layout(), array.team().rank(), width),
        elements_(
            containers::do_on_all("making a Halo", array.team(),
                                  [&] { return std::make_unique<T[]>(parts_.halo().count()); })),
        exchange_(array.team(), parts_.shared(), "exchanging the halos of an Array") {}

  /// Copies the elements as they are now. Collective; waits for all that ranks of the team have
  /// written into the array before.
  void exchange() {
    barrier(array_.team());
    const auto* const block = reinterpret_cast<const std::byte*>(array_.local().data());
    auto* const halo = reinterpret_cast<std::byte*>(elements_.get());
    parts_.copy_block(block, halo);  // Who has been sent something may write into the block.
    exchange_.start(block);
    exchange_.finish(halo);
  }

  /// Is there a copy of the element? False outside of the array, too.
  template <std::integral... Index>
  bool has(Index... index) const {
    const std::array<std::int64_t, sizeof...(Index)> all{static_cast<std::int64_t>(index)...};
    return parts_.halo().has(all);
  }
  /// The copy of an element of the array. Requires: there is one.
  template <std::integral... Index>
  const T& operator()(Index... index) const {
    const std::array<std::int64_t, sizeof...(Index)> all{static_cast<std::int64_t>(index)...};
    return elements_[parts_.offset(all)];
  }

 private:
  const Array<T>& array_;
  containers::HaloParts parts_;
  std::unique_ptr<T[]> elements_;
  containers::BoxExchange exchange_;
};

}  // namespace tasuki
