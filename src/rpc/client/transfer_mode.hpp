// By which way calls and arrays reach the ranks.
//
// Chosen for a client. Thread-safety: a value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tasuki::rpc {

enum class TransferMode : std::uint8_t {
  automatic,   ///< memory, else hand_off, else relay
  memory,      ///< As hand_off, but on one machine long arrays are read from the other's memory.
  hand_off,    ///< Client and ranks are connected.
  sequential,  ///< The same, one rank after the other, as in Ogawa et al. (1998).
  call_back,   ///< As hand_off, but the ranks open the connections.
  relay,       ///< The front end passes on what client and ranks send.
  buffering,   ///< The front end divides arrays among the ranks, through a small ring.
  original,    ///< The front end holds the arrays of a call, and divides them.
};

struct TransferModeTraits {
  TransferMode mode;
  std::string_view name;
};
inline constexpr std::array<TransferModeTraits, 8> transfer_modes = {{
    {TransferMode::automatic, "auto"},
    {TransferMode::memory, "memory"},
    {TransferMode::hand_off, "hand-off"},
    {TransferMode::sequential, "sequential"},
    {TransferMode::call_back, "call-back"},
    {TransferMode::relay, "relay"},
    {TransferMode::buffering, "buffering"},
    {TransferMode::original, "original"},
}};

constexpr std::string_view name_of(TransferMode mode) noexcept {
  return transfer_modes[static_cast<std::size_t>(mode)].name;
}

/// Is the front end to the client what a single rank would be?
constexpr bool is_staged(TransferMode mode) noexcept {
  return mode == TransferMode::buffering || mode == TransferMode::original;
}

/// Returns: nothing if there is no such mode.
constexpr std::optional<TransferMode> mode_of(std::string_view name) noexcept {
  for (const TransferModeTraits& one : transfer_modes) {
    if (one.name == name) return one.mode;
  }
  return {};
}

}  // namespace tasuki::rpc
