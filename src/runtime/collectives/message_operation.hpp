// A collective that is under way by messages: the execution of its schedule, and what is told of
// its transfers that take longer.
//
// Made by the schedule executor, moved on by the channel. Thread-safety: none; the rank's own
// thread.
#pragma once

#include <cstdint>
#include <tasuki/detail/coll/executor.hpp>
#include <tasuki/detail/transport/transport.hpp>

#include "runtime/collectives/message_channel.hpp"
#include "runtime/collectives/team_state.hpp"

namespace tasuki::runtime {

/// Told of each transfer that goes through the MPI library.
struct MpiTransfer : transport::Completion {};
/// Told of each that goes as bulk data.
struct BulkTransfer : transport::Completion {};

class MessageOperation final : public coll::Execution, public MpiTransfer, public BulkTransfer {
 public:
  /// `whole` is told when it is complete on this rank, and may end its life.
  MessageOperation(MessageChannel& channel, TeamState& on, const coll::Schedule& schedule,
                   const coll::Buffers& buffers, coll::Collective what, std::uint32_t its_number,
                   transport::Completion& its_whole)
      : coll::Execution(schedule, buffers, channel),
        team(on),
        collective(what),
        number(its_number),
        whole(its_whole),
        channel_(channel) {
    MpiTransfer::done = [](transport::Completion* completion) {
      auto& self = static_cast<MessageOperation&>(static_cast<MpiTransfer&>(*completion));
      if (self.transfer_done()) self.channel_.advance(self);
    };
    BulkTransfer::done = [](transport::Completion* completion) {
      auto& self = static_cast<MessageOperation&>(static_cast<BulkTransfer&>(*completion));
      // The transport is in the middle of its work, and to go on may wait.
      if (self.transfer_done()) self.channel_.advance_later(self);
    };
  }

  TeamState& team;
  const coll::Collective collective;
  const std::uint32_t number;
  transport::Completion& whole;

 private:
  MessageChannel& channel_;
};

}  // namespace tasuki::runtime
