// In which form the numbers of arrays travel.
//
// Chosen for a client and said in each call. Thread-safety: a value.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace tasuki::rpc {

enum class WireFormat : std::uint8_t {
  native,  ///< As they lie in memory, on machines of one byte order.
  xdr,     ///< External Data Representation (RFC 4506), as the original Ninf sent them.
};

constexpr std::string_view name_of(WireFormat format) noexcept {
  return format == WireFormat::xdr ? "xdr" : "native";
}

/// Returns: nothing if there is no such form.
constexpr std::optional<WireFormat> wire_format_of(std::string_view name) noexcept {
  for (const WireFormat one : {WireFormat::native, WireFormat::xdr}) {
    if (name_of(one) == name) return one;
  }
  return {};
}

/// What a field of the message says; native if there is none. Throws tasuki::error if there is no
/// such form.
WireFormat wire_format_in(const nlohmann::json& message, const char* field = "wire");

}  // namespace tasuki::rpc
