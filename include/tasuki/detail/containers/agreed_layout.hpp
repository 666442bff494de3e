// The layout of an array that all ranks of a team make together, each by itself.
//
// Nothing can be done with an array whose ranks do not agree, or of which one rank has none, so all
// of them throw then. Used by Array. Thread-safety: the rank's own thread.
#pragma once

#include <cstddef>
#include <functional>
#include <tasuki/detail/layout/array_layout.hpp>
#include <tasuki/team.hpp>

namespace tasuki::containers {

/// Returns: what `make` returns. Collective. Throws tasuki::error on all ranks if `make` throws on
/// one, the layout does not fit the team and the elements, or ranks have different ones.
layout::ArrayLayout agreed_layout(const std::function<layout::ArrayLayout()>& make,
                                  std::size_t element_bytes, const Team& team);

}  // namespace tasuki::containers
