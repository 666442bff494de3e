#include "rpc/rank/quota_question.hpp"

#include <fmt/format.h>

#include <tasuki/error.hpp>
#include <utility>

#include "rpc/wire/named_error.hpp"

namespace tasuki::rpc {

QuotaQuestion::QuotaQuestion(int rank, KeptQuota quota, Socket::Seconds patience,
                             CallReporter& reporter, FrontEndLink& front_end)
    : rank_(rank),
      quota_(std::move(quota)),
      patience_(patience),
      reporter_(reporter),
      front_end_(front_end) {}

std::optional<Lost> QuotaQuestion::operator()(const std::string& operation, const std::string& name,
                                              std::int64_t bytes) const {
  const std::int64_t call = reporter_.call();
  if (rank_ == 0) {
    reporter_.tell_now();  // What the client has freed makes room.
    front_end_.send({{"message", "reserve"},
                     {"lease", reporter_.lease()},
                     {"call", call},
                     {"name", name},
                     {"bytes", bytes}});
  }
  const std::optional<KeptRoom> room = front_end_.await_room(call, patience_);
  if (!room) {
    throw error(operation, "the front end does not say whether the user's quota allows it",
                "call again; if that fails, read what the server has printed");
  }
  if (room->is_granted) return {};
  return Lost(quota_kind, operation,
              fmt::format("it has {} bytes, and of the quota kept_memory_bytes = {} of user {} {}"
                          " are used",
                          bytes, quota_.most_bytes, quota_.user, room->used_bytes),
              "free other arrays and objects, or ask for a larger quota");
}

}  // namespace tasuki::rpc
