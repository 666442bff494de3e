#include "rpc/wire/secret.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <array>
#include <cstdint>
#include <tasuki/error.hpp>

namespace tasuki::rpc {

std::string make_secret() {
  std::array<std::uint64_t, 2> bits{};
  if (getrandom(bits.data(), sizeof bits, 0) != sizeof bits) {
    throw error("make a secret", "the system gives no random numbers", "check /dev/urandom");
  }
  return fmt::format("{:016x}{:016x}", bits[0], bits[1]);
}

}  // namespace tasuki::rpc
