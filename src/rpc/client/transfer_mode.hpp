// By which way calls and arrays reach the ranks.
//
// Chosen for a client. Thread-safety: a value.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tasuki::rpc {

enum class TransferMode : std::uint8_t {
  automatic,  ///< hand_off, else relay
  hand_off,   ///< Client and ranks are connected.
  relay,      ///< The front end passes on what they send.
};

constexpr std::string_view name_of(TransferMode mode) noexcept {
  switch (mode) {
    case TransferMode::automatic:
      return "auto";
    case TransferMode::hand_off:
      return "hand-off";
    case TransferMode::relay:
      return "relay";
  }
  return "";
}

/// Returns: nothing if there is no such mode.
constexpr std::optional<TransferMode> mode_of(std::string_view name) noexcept {
  using enum TransferMode;
  for (const TransferMode one : {automatic, hand_off, relay}) {
    if (name_of(one) == name) return one;
  }
  return {};
}

}  // namespace tasuki::rpc
