// A word that no other process has by chance, to find out whether memory is the one expected.
//
// Thread-safety: any thread.
#pragma once

#include <sys/random.h>
#include <tasuki/detail/base/clock.hpp>

#include <cstdint>

namespace tasuki::transport::shm {

/// Where the system has no random bits yet, the time has to do.
inline std::uint64_t random_word() noexcept {
  std::uint64_t word = 0;
  if (::getrandom(&word, sizeof word, GRND_NONBLOCK) < 0) {
    word = static_cast<std::uint64_t>(base::now_ns());
  }
  return word;
}

}  // namespace tasuki::transport::shm
