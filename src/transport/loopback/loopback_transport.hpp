// One rank of a loopback cluster, as the transport interface wants it.
//
// Created by the cluster, used by the rank's own code. Being a test double, it gives each message
// memory of its own (so that the address sanitizer sees a use after `release`) and `poll` may
// allocate. Thread-safety: none.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <tasuki/detail/transport/transport.hpp>
#include <vector>

#include "transport/accounted.hpp"
#include "transport/loopback/cluster.hpp"
#include "transport/own_memory.hpp"

namespace tasuki::transport::loopback {

class LoopbackTransport final : public Transport,
                                public Accounted,
                                private Arrivals,
                                private OwnMemory {
 public:
  LoopbackTransport(Cluster& cluster, int rank);
  ~LoopbackTransport() override;

  void start() override {}
  void stop() noexcept override {}
  [[noreturn]] void abort_job(int exit_code) noexcept override;
  const char* name() const noexcept override { return "loopback"; }

  static std::vector<base::MemoryAccount> memory_accounts();
  std::vector<base::MemoryUse> memory_uses() const override;

 private:
  class Peer;
  /// Bulk data announced to this rank and not yet moved.
  struct PendingBulk {
    Packet packet;
    int source = -1;
    std::byte* destination = nullptr;
    Completion* received = nullptr;
    int posted_receive = Lane::no_posted_receive;  ///< If it says both.
  };
  struct PostedReceive {
    int source = -1;
    std::span<std::byte> destination;
    Completion* arrived = nullptr;
    bool is_single = false;
    bool is_posted = true;
    std::deque<std::uint64_t> waiting = {};  ///< Tokens of data that came while it was not.
  };
  /// Something to do in a later poll of this rank.
  struct Due {
    std::uint64_t at = 0;
    Completion* completion = nullptr;
    std::uint64_t bulk_token = 0;  ///< If there is no completion: data to move.
  };

  bool poll(Arrival& arrival) override;
  void release(const Arrival& arrival) override;
  void progress() override;
  void wait(std::uint64_t idle_count, std::int64_t most_us) override;

  const HeapSegment* heap_of(int rank) const noexcept override;
  void notify(int rank) noexcept override;
  std::span<std::byte> shared_scratch() noexcept override;

  std::uint64_t some_time_later();
  bool refused_at_random();
  bool attach(Packet& packet, std::span<const std::byte> data, Completion* completion);
  void complete_due();
  void move_bulk(std::uint64_t token);
  int open_receive(PostedReceive posted_receive);
  bool finds_posted(std::uint64_t token, PendingBulk& pending);
  bool arrive_from(int source, Channel& channel, Arrival& arrival);

  Cluster& cluster_;
  std::vector<Peer> peers_;           ///< By rank.
  std::optional<Packet> handed_out_;  ///< The packet behind the arrival not yet released.
  int next_source_ = 0;
  std::uint64_t next_token_ = 1;
  std::map<std::uint64_t, PendingBulk> pending_bulk_;
  std::vector<PostedReceive> posted_receives_;
  std::vector<Due> due_;
};

}  // namespace tasuki::transport::loopback
