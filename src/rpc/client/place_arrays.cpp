#include "rpc/client/place_arrays.hpp"

#include <cstddef>
#include <cstdint>
#include <tasuki/detail/layout/run_cursor.hpp>
#include <variant>

#include "rpc/wire/short_run.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// Shorter arrays are sent with the message.
constexpr std::int64_t read_from_memory_bytes = std::int64_t{64} << 10;

/// Is it worth the system calls to read the array's blocks from memory?
bool is_long(const layout::ArrayLayout& layout, const layout::ArrayView& view) {
  for (int rank = 0; rank < layout.ranks(); ++rank) {
    const auto run = layout::RunCursor(layout, rank, view).next();
    if (run && run->bytes < static_cast<std::int64_t>(short_run_bytes)) return false;
  }
  return layout.whole_selected_bytes() >= read_from_memory_bytes;
}

/// Does one rank write what the others may still read? They have no time of their own at which they
/// have read it.
bool is_overwritten(const Parameter& parameter, int ranks) {
  return parameter.is_sent() && parameter.is_returned() && ranks > 1 &&
         !is_returned_by(1, parameter);
}

json description_of(const ArrayArgument& array) {
  return {{"address", reinterpret_cast<std::uintptr_t>(array.memory)},
          {"first_offset_bytes", array.view.first_offset_bytes},
          {"stride_bytes", array.view.stride_bytes}};
}

}  // namespace

PlacedArray placed_array(const Parameter& parameter, const layout::ArrayLayout& layout,
                         const ArrayArgument& array, bool shares_memory, Exchange& exchange) {
  const bool is_in_memory = shares_memory && !array.is_byte_swapped &&
                            !is_overwritten(parameter, layout.ranks()) &&
                            is_long(layout, array.view);
  if (is_in_memory) exchange.message["memory"][parameter.name] = description_of(array);
  return {parameter, layout, array, is_in_memory};
}

void place_arrays(const Routine& routine, const CallLayout& layout,
                  const std::vector<CallArray>& arrays, bool shares_memory, Exchange& exchange) {
  auto next = arrays.begin();
  for (std::size_t i = 0; i < layout.size(); ++i) {
    if (!layout[i]) continue;
    const Parameter& parameter = routine.parameters[i];
    const CallArray& array = *next++;
    if (const auto* kept = std::get_if<KeptArray>(&array)) {
      exchange.message["kept"][parameter.name] = kept->id;
      continue;
    }
    const PlacedArray one = placed_array(parameter, *layout[i], std::get<ArrayArgument>(array),
                                         shares_memory, exchange);
    if (parameter.is_sent()) exchange.sent.push_back(one);
    if (parameter.is_returned()) exchange.returned.push_back(one);
  }
}

}  // namespace tasuki::rpc
