// Texts that are sent, kept or written for operators, and may quote what a client has sent.
//
// Used by ranks and logs. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string>

namespace tasuki::rpc {

/// Far more than any error of Tasuki's own has.
inline constexpr std::size_t kept_text_bytes = 1000;

/// Returns: the text, or its beginning.
inline std::string shortened(std::string text) {
  if (text.size() <= kept_text_bytes) return text;
  text.resize(kept_text_bytes);
  return text += "...";
}

}  // namespace tasuki::rpc
