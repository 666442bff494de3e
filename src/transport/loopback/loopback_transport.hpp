// One rank of a loopback cluster, as the transport seam wants it.
//
// Created by the cluster, used by the rank's own code. Being a test double, it gives each message
// memory of its own (so that the address sanitizer sees a use after `release`) and `poll` may
// allocate. Thread-safety: none.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tasuki/detail/transport/transport.hpp>
#include <vector>

#include "transport/loopback/cluster.hpp"
#include "transport/own_memory.hpp"

namespace tasuki::transport::loopback {

class LoopbackTransport final : public Transport {
 public:
  LoopbackTransport(Cluster& cluster, int rank);

  void start() override {}
  void stop() noexcept override {}
  int rank() const noexcept override { return rank_; }
  int size() const noexcept override { return cluster_.options().rank_count; }
  const char* name() const noexcept override { return "loopback"; }
  const Capabilities& capabilities() const noexcept override { return capabilities_; }
  const Counters& counters() const noexcept override { return counters_; }
  bool same_node(int rank) const noexcept override;

  std::byte* acquire(int rank, std::size_t bytes) override;
  void commit(int rank, std::size_t bytes) override;
  bool send_bulk(int rank, std::span<const std::byte> header, std::span<const std::byte> data,
                 Completion* completion) override;
  void accept(std::uint64_t token, std::byte* destination, Completion* completion) override;
  int post_receive(int source, std::span<std::byte> destination, Completion* arrived) override;
  bool send_to_posted(int rank, int posted_receive, std::span<const std::byte> data,
                      Completion* completion) override;

  bool poll(Arrival& arrival) override;
  void release(const Arrival& arrival) override;
  void progress() override;
  void wait(std::uint64_t idle_count, std::int64_t most_us) override;
  void notify(int rank) noexcept override;

  const HeapSegment& heap() const noexcept override { return heap_.segment(); }
  bool grow_heap(std::size_t bytes) override { return heap_.grow(bytes); }
  std::byte* map(int rank, std::uintptr_t address, std::size_t bytes) noexcept override;
  bool put_private(int rank, std::uintptr_t address, std::span<const std::byte> data) override;
  bool get_private(int rank, std::uintptr_t address, std::span<std::byte> data) override;
  std::byte* shared_scratch() noexcept override { return cluster_.shared_scratch(); }
  std::size_t shared_scratch_bytes() const noexcept override;
  [[noreturn]] void abort_job(int exit_code) noexcept override;

 private:
  /// Bulk data announced to this rank and not yet moved.
  struct PendingBulk {
    Packet packet;
    int source = -1;
    std::byte* destination = nullptr;
    Completion* received = nullptr;
  };
  struct PostedReceive {
    int source = -1;
    std::span<std::byte> destination;
    Completion* arrived = nullptr;
  };
  /// Something to do in a later poll of this rank.
  struct Due {
    std::uint64_t at = 0;
    Completion* completion = nullptr;
    std::uint64_t bulk_token = 0;  ///< If there is no completion: data to move.
  };

  std::uint64_t some_time_later();
  bool refused_at_random();
  bool attach(Packet& packet, std::span<const std::byte> data, Completion* completion);
  void send(int rank, Packet packet);
  void complete_due();
  void move_bulk(std::uint64_t token);
  bool arrive_from(int source, Arrival& arrival);

  Cluster& cluster_;
  int rank_;
  Capabilities capabilities_;
  Counters counters_;
  OwnHeap heap_;
  std::optional<Packet> handed_out_;  ///< The packet behind the arrival not yet released.
  int next_source_ = 0;
  std::uint64_t next_token_ = 1;
  std::map<std::uint64_t, PendingBulk> pending_bulk_;
  std::vector<PostedReceive> posted_receives_;
  std::vector<Due> due_;
};

}  // namespace tasuki::transport::loopback
