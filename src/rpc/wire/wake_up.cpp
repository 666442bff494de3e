#include "rpc/wire/wake_up.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <tasuki/error.hpp>

namespace tasuki::rpc {

WakeUp::WakeUp() : descriptor_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (descriptor_ < 0) {
    throw error("wait for messages", "the system has no descriptor left", "raise ulimit -n");
  }
}

WakeUp::~WakeUp() { close(descriptor_); }

void WakeUp::notify() noexcept { eventfd_write(descriptor_, 1); }

void WakeUp::clear() noexcept {
  eventfd_t count = 0;
  eventfd_read(descriptor_, &count);
}

}  // namespace tasuki::rpc
