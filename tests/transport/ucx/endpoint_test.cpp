#include "transport/ucx/endpoint.hpp"

#include <gtest/gtest.h>
#include <unistd.h>
#include <tasuki/error.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace {

std::atomic<bool> memory_lacks = false;

}  // namespace

// UCX, which is in C, takes its memory elsewhere.
void* operator new(std::size_t bytes) {
  void* const memory = memory_lacks ? nullptr : std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*bytes*/) noexcept { std::free(memory); }

namespace tasuki::transport::ucx {
namespace {

constexpr int size = 12;
constexpr int progress_most_count = 200'000;

/// Knows the addresses of all ranks, and tells those that the test lets it tell.
class SlowWireup final : public Wireup {
 public:
  int rank() const noexcept override { return 0; }
  int size() const noexcept override { return ucx::size; }
  void allgather(std::span<const std::byte>, std::byte*) override {}
  Sums sum(const Sums& own, const std::function<void()>&) override { return own; }
  void publish(std::span<const std::byte>) override {}
  void ask(int rank) override { asked_.push_back(rank); }
  std::optional<Published> take_answer() override {
    for (auto next = asked_.begin(); next != asked_.end(); ++next) {
      if (!told.contains(*next)) continue;
      const int rank = *next;
      asked_.erase(next);
      return Published{rank, addresses[static_cast<std::size_t>(rank)]};
    }
    return std::nullopt;
  }
  std::string await_word_about(int) noexcept override { return ""; }
  void lift_time_limit() noexcept override {}
  void finish() noexcept override {}

  std::vector<std::vector<std::byte>> addresses;
  std::set<int> told;

 private:
  std::deque<int> asked_;
};

/// The endpoints of all ranks, in one process.
class UcxEndpointTest : public testing::Test {
 protected:
  struct Rank {
    Counters counters;
    SlowWireup wireup;
    std::unique_ptr<Endpoint> endpoint;
  };

  void SetUp() override {
    ::setenv("UCX_TLS", "tcp", 1);
    std::vector<std::vector<std::byte>> addresses;
    for (int rank = 0; rank < size; ++rank) {
      Rank& it = ranks_.emplace_back();
      it.endpoint = std::make_unique<Endpoint>(rank, size, true, it.counters);
      it.endpoint->connect(it.wireup);
      addresses.push_back(it.endpoint->address());
    }
    for (Rank& it : ranks_) it.wireup.addresses = addresses;
  }

  void TearDown() override {
    memory_lacks = false;
    // A connection that ends is no failure of those that have not ended yet.
    for (Rank& it : ranks_) it.endpoint->close();
    ::unsetenv("UCX_TLS");
  }

  Endpoint& endpoint(int rank) { return *ranks_[static_cast<std::size_t>(rank)].endpoint; }
  SlowWireup& wireup(int rank) { return ranks_[static_cast<std::size_t>(rank)].wireup; }

  /// Returns: could it be sent?
  bool send(int from, int to, std::size_t bytes = 1) {
    Lane& lane = endpoint(from).lane(to);
    std::byte* const place = lane.acquire(bytes);
    if (place == nullptr) return false;
    std::fill_n(place, bytes, std::byte{1});
    lane.commit(bytes);
    return true;
  }

  /// Returns: has a message come?
  bool take(int rank) {
    Arrival arrival;
    if (!endpoint(rank).poll(arrival)) return false;
    endpoint(rank).release(arrival);
    return true;
  }

  /// Sends messages from one rank to another until so many have come. Returns: have they?
  bool stream(int from, int to, int count, std::size_t bytes = 1) {
    int sent = 0;
    int taken = 0;
    for (int i = 0; i < progress_most_count && taken < count; ++i) {
      if (sent < count && send(from, to, bytes)) ++sent;
      endpoint(from).progress();
      if (take(to)) ++taken;
    }
    return taken == count;
  }

  std::deque<Rank> ranks_;
};

/// So many that the receiver owes credits, and the sender goes on without.
constexpr int owing_count = 100;
/// So many that the sender needs credits.
constexpr int many_count = 1000;

TEST_F(UcxEndpointTest, ranks_whose_addresses_are_missing_keep_no_credits_from_others) {
  for (int rank = 1; rank < size; ++rank) wireup(rank).told = {0};
  // All slots for messages wait for the address of rank 1.
  while (endpoint(0).lane(1).has_bulk_room()) ASSERT_TRUE(send(0, 1));
  for (int rank = 2; rank < size - 1; ++rank) ASSERT_TRUE(stream(rank, 0, owing_count)) << rank;
  wireup(0).told = {size - 1};
  EXPECT_TRUE(stream(size - 1, 0, many_count)) << "no credits have come";
}

TEST_F(UcxEndpointTest, credits_leave_when_the_address_has_come) {
  wireup(1).told = {0};
  int sent = 0;
  while (send(1, 0)) {
    ++sent;
    for (int i = 0; i < 100; ++i) endpoint(1).progress();
  }
  for (int i = 0; i < progress_most_count && sent > 0; ++i) {
    endpoint(1).progress();
    if (take(0)) --sent;
  }
  ASSERT_EQ(sent, 0);
  wireup(0).told = {1};
  EXPECT_TRUE(stream(1, 0, many_count)) << "no credits have come";
}

TEST_F(UcxEndpointTest, a_message_that_has_been_begun_takes_no_memory_to_be_held) {
  Lane& lane = endpoint(0).lane(1);
  std::byte* const place = lane.acquire(1);
  ASSERT_NE(place, nullptr);
  *place = std::byte{1};
  memory_lacks = true;
  lane.commit(1);
  memory_lacks = false;
  wireup(0).told = {1};
  bool has_come = false;
  for (int i = 0; i < progress_most_count && !has_come; ++i) {
    endpoint(0).progress();
    has_come = take(1);
  }
  EXPECT_TRUE(has_come);
}

/// Of this process's memory, used or not.
std::size_t mapped_bytes() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

TEST_F(UcxEndpointTest, frames_are_kept_in_blocks_of_their_size) {
  for (int rank = 1; rank < size; ++rank) wireup(rank).told = {0};
  wireup(0).told = {1};
  ASSERT_TRUE(stream(1, 0, 1));
  const std::size_t before_bytes = mapped_bytes();
  ASSERT_TRUE(stream(1, 0, many_count, message_max_bytes));
  // UCX takes 128 blocks at once. Of a segment's size, 1 MiB, they would be twice as much as this.
  EXPECT_LT(mapped_bytes(), before_bytes + (std::size_t{64} << 20));
}

TEST_F(UcxEndpointTest, what_has_been_held_leaves_in_its_order) {
  constexpr int count = 40;
  for (int i = 0; i < count; ++i) {
    Lane& lane = endpoint(0).lane(1);
    std::byte* const place = lane.acquire(1);
    ASSERT_NE(place, nullptr);
    *place = std::byte(i);
    lane.commit(1);
  }
  wireup(0).told = {1};
  int next = 0;
  for (int i = 0; i < progress_most_count && next < count; ++i) {
    endpoint(0).progress();
    Arrival arrival;
    if (!endpoint(1).poll(arrival)) continue;
    ASSERT_EQ(std::to_integer<int>(arrival.bytes[0]), next++);
    endpoint(1).release(arrival);
  }
  EXPECT_EQ(next, count);
}

}  // namespace
}  // namespace tasuki::transport::ucx
