// How far a call is, as ranks tell the front end and the front end tells operators.
//
// Used by the ranks' reporter and the server's log of calls. Thread-safety: values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tasuki::rpc {

enum class CallState : std::uint8_t {
  queued,     ///< Waits for the ranks, which others have.
  receiving,  ///< The ranks receive their blocks.
  computing,
  sending,  ///< The ranks send results.
  done,
  failed,
  cancelled,  ///< The client has given it up.
};

inline constexpr std::array<std::string_view, 7> call_state_names = {
    "queued", "receiving", "computing", "sending", "done", "failed", "cancelled"};

constexpr std::string_view name_of(CallState state) noexcept {
  return call_state_names[static_cast<std::size_t>(state)];
}

/// Returns: nothing if there is no such state.
constexpr std::optional<CallState> call_state_of(std::string_view name) noexcept {
  for (std::size_t i = 0; i < call_state_names.size(); ++i) {
    if (call_state_names[i] == name) return static_cast<CallState>(i);
  }
  return {};
}

constexpr bool is_over(CallState state) noexcept { return state >= CallState::done; }

}  // namespace tasuki::rpc
