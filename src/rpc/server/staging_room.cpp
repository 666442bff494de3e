#include "rpc/server/staging_room.hpp"

#include <fmt/format.h>

#include <tasuki/error.hpp>

namespace tasuki::rpc {

using Guard = std::lock_guard<std::mutex>;

StagingRoom::Part::Part(StagingRoom& room, std::int64_t bytes) : room_(room), bytes_(bytes) {
  const Guard guard(room_.mutex_);
  if (bytes > room_.most_bytes_ - room_.used_bytes_) {
    throw error("call",
                fmt::format("its arrays and files have {} bytes, and of the {} that the front end"
                            " holds in the mode original {} are used",
                            bytes, room_.most_bytes_, room_.used_bytes_),
                "choose the mode hand-off, relay or buffering, of which the front end holds"
                " nothing, or start the server with a larger --staging-limit");
  }
  room_.used_bytes_ += bytes;
}

StagingRoom::Part::~Part() {
  const Guard guard(room_.mutex_);
  room_.used_bytes_ -= bytes_;
}

}  // namespace tasuki::rpc
