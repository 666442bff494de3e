#include "support/thread_job.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/world/world.hpp"
#include "transport/own_memory.hpp"

namespace tasuki::test {
namespace {

constexpr std::size_t message_bytes = 4096;
constexpr std::size_t heap_bytes = 64 << 20;
// As the scratch of the shm transport.
constexpr std::size_t scratch_bytes_per_job = 64 * 1024;
constexpr std::size_t scratch_bytes_per_rank = 4 * 1024;
constexpr std::align_val_t line_alignment{64};

struct Message {
  int source = 0;
  std::vector<std::uint64_t> words{};  ///< For its alignment.
  std::size_t bytes = 0;
  bool is_bulk = false;
  int posted_receive = transport::Lane::no_posted_receive;  ///< The one that the data are for.
  std::vector<std::byte> data{};
};

class Inbox {
 public:
  void push(Message message) {
    const std::lock_guard lock(mutex_);
    messages_.push_back(std::move(message));
  }
  bool pop(Message& message) {
    const std::lock_guard lock(mutex_);
    if (messages_.empty()) return false;
    message = std::move(messages_.front());
    messages_.pop_front();
    return true;
  }

 private:
  std::mutex mutex_;
  std::deque<Message> messages_;
};

struct Node;

class ThreadMemory final : public transport::OwnMemory {
 public:
  ThreadMemory(Node& node, int rank) : OwnMemory(rank, heap_bytes), node_(node) {}
  std::byte* map(int rank, std::uintptr_t address, std::size_t bytes) noexcept override;
  bool put_private(int, std::uintptr_t, std::span<const std::byte>) override { return false; }
  bool get_private(int, std::uintptr_t, std::span<std::byte>) override { return false; }
  bool shares(int) const noexcept override { return true; }
  std::span<std::byte> shared_scratch() noexcept override;

 private:
  Node& node_;
};

/// What the ranks share.
struct Node {
  explicit Node(int ranks_count)
      : size(ranks_count),
        inboxes(static_cast<std::size_t>(size)),
        scratch_bytes(scratch_bytes_per_job +
                      static_cast<std::size_t>(size) * scratch_bytes_per_rank),
        scratch(static_cast<std::byte*>(::operator new(scratch_bytes, line_alignment))) {
    std::memset(scratch, 0, scratch_bytes);
    for (int rank = 0; rank < size; ++rank) {
      heaps.push_back(std::make_unique<ThreadMemory>(*this, rank));
    }
  }
  ~Node() { ::operator delete(scratch, line_alignment); }
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  Inbox& inbox(int rank) { return inboxes[static_cast<std::size_t>(rank)]; }

  int size;
  std::vector<std::unique_ptr<ThreadMemory>> heaps;
  std::vector<Inbox> inboxes;
  std::size_t scratch_bytes;
  std::byte* scratch;
};

/// Keeps no track of how much another rank has committed, for its owner may change that meanwhile.
std::byte* ThreadMemory::map(int rank, std::uintptr_t address, std::size_t bytes) noexcept {
  std::byte* const base = node_.heaps[static_cast<std::size_t>(rank)]->heap().base;
  const std::uintptr_t offset = address - reinterpret_cast<std::uintptr_t>(base);
  return offset <= heap_bytes && bytes <= heap_bytes - offset ? base + offset : nullptr;
}

std::span<std::byte> ThreadMemory::shared_scratch() noexcept {
  return {node_.scratch, node_.scratch_bytes};
}

thread_local bool next_bulk_fails = false;
thread_local bool next_message_fails = false;
thread_local bool messages_are_refused = false;

/// From one rank to another: what is sent is copied into the other's inbox.
class ThreadLane final : public transport::Lane {
 public:
  ThreadLane(Node& node, int rank, int to, bool posts_receives)
      : rank_(rank), posts_receives_(posts_receives), inbox_(node.inbox(to)) {}

  std::byte* acquire(std::size_t bytes) override {
    if (std::exchange(next_message_fails, false)) throw std::bad_alloc();
    if (messages_are_refused) return nullptr;
    open_.words.resize((bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
    return reinterpret_cast<std::byte*>(open_.words.data());
  }
  void commit(std::size_t bytes) override {
    Message message = std::exchange(open_, {});
    if (bytes == 0) return;
    message.source = rank_;
    message.bytes = bytes;
    inbox_.push(std::move(message));
  }
  bool send_bulk(std::span<const std::byte> header, std::span<const std::byte> data,
                 transport::Completion* completion) override {
    if (std::exchange(next_bulk_fails, false)) throw std::bad_alloc();
    Message message{.source = rank_,
                    .bytes = header.size(),
                    .is_bulk = true,
                    .data = {data.begin(), data.end()}};
    message.words.resize(message_bytes / sizeof(std::uint64_t));
    std::memcpy(message.words.data(), header.data(), header.size());
    inbox_.push(std::move(message));
    if (completion != nullptr) completion->done(completion);
    return true;
  }
  void accept(std::uint64_t token, std::byte* destination,
              transport::Completion* completion) override {
    const std::vector<std::byte> data = std::exchange(arrived_[token], {});
    if (!data.empty()) std::memcpy(destination, data.data(), data.size());
    completion->done(completion);
  }
  int post_receive(std::span<std::byte> destination, transport::Completion* arrived) override {
    if (!posts_receives_) return no_posted_receive;
    posted_receives_.push_back({destination, arrived});
    return static_cast<int>(posted_receives_.size()) - 1;
  }
  bool send_to_posted(int posted_receive, std::span<const std::byte> data,
                      transport::Completion* completion) override {
    Message message{
        .source = rank_, .posted_receive = posted_receive, .data = {data.begin(), data.end()}};
    inbox_.push(std::move(message));
    if (completion != nullptr) completion->done(completion);
    return true;
  }
  void fill_posted(const Message& message) {
    const auto& [destination, arrived] =
        posted_receives_[static_cast<std::size_t>(message.posted_receive)];
    std::memcpy(destination.data(), message.data.data(), destination.size());
    arrived->done(arrived);
  }
  /// Returns: the token.
  std::uint64_t note_arrived(std::vector<std::byte> data) {
    arrived_.push_back(std::move(data));
    return arrived_.size() - 1;
  }

 private:
  struct PostedReceive {
    std::span<std::byte> destination;
    transport::Completion* arrived;
  };

  int rank_;
  bool posts_receives_;
  Inbox& inbox_;
  Message open_;
  std::vector<PostedReceive> posted_receives_;   ///< By number.
  std::vector<std::vector<std::byte>> arrived_;  ///< By token.
};

class ThreadTransport final : public transport::Transport, private transport::Arrivals {
 public:
  ThreadTransport(Node& node, int rank, const ThreadJobTraits& traits)
      : inbox_(node.inbox(rank)), sleeps_until_woken_(traits.sleeps_until_woken) {
    rank_ = rank;
    arrivals_ = this;
    memory_ = node.heaps[static_cast<std::size_t>(rank)].get();
    for (int peer = 0; peer < node.size; ++peer) {
      peers_.push_back(std::make_unique<ThreadLane>(node, rank, peer, traits.posts_receives));
      lanes_.push_back(peers_.back().get());
    }
    capabilities_.message_max_bytes = message_bytes;
    capabilities_.bulk_header_max_bytes = message_bytes;
    capabilities_.reads_private = rank < traits.readers_count;
    if (traits.posts_receives) {
      capabilities_.posted_least_bytes = 1;
      capabilities_.posted_most_bytes = heap_bytes;
    }
    capabilities_.shares_cores =
        static_cast<unsigned>(node.size) > std::thread::hardware_concurrency();
  }

  void start() override {}
  void stop() noexcept override {}
  [[noreturn]] void abort_job(int) noexcept override { std::abort(); }
  const char* name() const noexcept override { return "threads"; }

 private:
  bool poll(transport::Arrival& arrival) override {
    do {
      if (!inbox_.pop(arrived_)) return false;
    } while (fill_posted());
    arrival = {};
    arrival.source = arrived_.source;
    arrival.bytes = {reinterpret_cast<const std::byte*>(arrived_.words.data()), arrived_.bytes};
    if (arrived_.is_bulk) {
      arrival.kind = transport::ArrivalKind::bulk;
      arrival.bulk_bytes = arrived_.data.size();
      arrival.bulk_token =
          peers_[static_cast<std::size_t>(arrival.source)]->note_arrived(std::move(arrived_.data));
    }
    return true;
  }
  /// Returns: has the message gone to a pre-posted receive?
  bool fill_posted() {
    if (arrived_.posted_receive == transport::Lane::no_posted_receive) return false;
    peers_[static_cast<std::size_t>(arrived_.source)]->fill_posted(arrived_);
    return true;
  }
  void release(const transport::Arrival&) override {}
  void progress() override {}
  void wait(std::uint64_t idle_count, std::int64_t) override {
    // As the other backends, it comes to the sleep in two calls.
    if (!sleeps_until_woken_ || idle_count == 0) return std::this_thread::yield();
    std::unique_lock lock(waking_);
    const bool is_in_time = woken_.wait_for(lock, longest_sleep, [this] { return is_woken_; });
    EXPECT_TRUE(is_in_time) << "nobody has woken the rank";
    is_woken_ = false;
  }
  void wake() noexcept override {
    const std::lock_guard lock(waking_);
    is_woken_ = true;
    woken_.notify_one();
  }

  static constexpr std::chrono::seconds longest_sleep{30};

  Inbox& inbox_;
  bool sleeps_until_woken_;
  std::mutex waking_;
  std::condition_variable woken_;
  bool is_woken_ = false;
  std::vector<std::unique_ptr<ThreadLane>> peers_;  ///< By rank.
  Message arrived_;
};

}  // namespace

void fail_next_bulk() { next_bulk_fails = true; }
void fail_next_message() { next_message_fails = true; }
void refuse_messages(bool refused) { messages_are_refused = refused; }

void run_threads(int ranks_count, const std::function<void()>& body, ThreadJobTraits traits) {
  Node node(ranks_count);
  std::mutex starting;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks_count; ++rank) {
    threads.emplace_back([&, rank] {
      std::unique_lock lock(starting);  // a World is made to be the only one, or one by one
      runtime::World world(std::make_unique<ThreadTransport>(node, rank, traits));
      lock.unlock();
      world.run(
          [](void* argument) {
            (*static_cast<const std::function<void()>*>(argument))();
            return 0;
          },
          const_cast<std::function<void()>*>(&body));
      lock.lock();
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace tasuki::test
