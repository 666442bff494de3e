// Text in the xz format, for tests.
//
// Thread-safety: a pure function.
#pragma once

#include <lzma.h>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace tasuki::sssp {

inline std::string compressed(const std::string& text) {
  std::string result(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  if (lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, nullptr,
                              reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                              reinterpret_cast<std::uint8_t*>(result.data()), &size,
                              result.size()) != LZMA_OK)
    throw std::runtime_error("liblzma cannot compress");
  result.resize(size);
  return result;
}

}  // namespace tasuki::sssp
