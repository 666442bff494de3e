#include "support/thread_job.hpp"

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
  int source;
  std::vector<std::uint64_t> words;  ///< For its alignment.
  std::size_t bytes;
  bool is_bulk;
  std::vector<std::byte> data;
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
      heaps.push_back(std::make_unique<transport::OwnHeap>(heap_bytes));
    }
  }
  ~Node() { ::operator delete(scratch, line_alignment); }
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  int size;
  std::vector<std::unique_ptr<transport::OwnHeap>> heaps;
  std::vector<Inbox> inboxes;
  std::size_t scratch_bytes;
  std::byte* scratch;
};

class ThreadTransport final : public transport::Transport {
 public:
  ThreadTransport(Node& node, int rank)
      : node_(node), rank_(rank), slots_(static_cast<std::size_t>(node.size)) {
    capabilities_.message_max_bytes = message_bytes;
    capabilities_.bulk_header_max_bytes = message_bytes;
    capabilities_.maps_peers = true;
    capabilities_.shares_cores =
        static_cast<unsigned>(node.size) > std::thread::hardware_concurrency();
  }

  void start() override {}
  void stop() noexcept override {}
  int rank() const noexcept override { return rank_; }
  int size() const noexcept override { return node_.size; }
  const char* name() const noexcept override { return "threads"; }
  const transport::Capabilities& capabilities() const noexcept override { return capabilities_; }
  const transport::Counters& counters() const noexcept override { return counters_; }
  bool same_node(int) const noexcept override { return true; }

  std::byte* acquire(int rank, std::size_t bytes) override {
    slot(rank).words.resize((bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
    return reinterpret_cast<std::byte*>(slot(rank).words.data());
  }
  void commit(int rank, std::size_t bytes) override {
    Message message = std::exchange(slot(rank), {});
    if (bytes == 0) return;
    message.source = rank_;
    message.bytes = bytes;
    inbox(rank).push(std::move(message));
  }
  bool send_bulk(int rank, std::span<const std::byte> header, std::span<const std::byte> data,
                 transport::Completion* completion) override {
    Message message{rank_, {}, header.size(), true, {data.begin(), data.end()}};
    message.words.resize(message_bytes / sizeof(std::uint64_t));
    std::memcpy(message.words.data(), header.data(), header.size());
    inbox(rank).push(std::move(message));
    if (completion != nullptr) completion->done(completion);
    return true;
  }
  void accept(std::uint64_t token, std::byte* destination,
              transport::Completion* completion) override {
    const std::vector<std::byte> data = std::move(bulk_[token]);
    bulk_[token].clear();
    if (!data.empty()) std::memcpy(destination, data.data(), data.size());
    completion->done(completion);
  }

  bool poll(transport::Arrival& arrival) override {
    if (!inbox(rank_).pop(arrived_)) return false;
    arrival = {};
    arrival.source = arrived_.source;
    arrival.bytes = {reinterpret_cast<const std::byte*>(arrived_.words.data()), arrived_.bytes};
    if (arrived_.is_bulk) {
      arrival.kind = transport::ArrivalKind::bulk;
      arrival.bulk_bytes = arrived_.data.size();
      arrival.bulk_token = bulk_.size();
      bulk_.push_back(std::move(arrived_.data));
    }
    return true;
  }
  void release(const transport::Arrival&) override {}
  void progress() override {}
  void wait(std::uint64_t, std::int64_t) override { std::this_thread::yield(); }
  void notify(int) noexcept override {}

  const transport::HeapSegment& heap() const noexcept override { return own_heap().segment(); }
  bool grow_heap(std::size_t bytes) override { return own_heap().grow(bytes); }
  std::byte* map(int rank, std::uintptr_t address, std::size_t bytes) noexcept override {
    // Not how much is committed, for its owner may change that meanwhile.
    const auto& segment = node_.heaps[static_cast<std::size_t>(rank)]->segment();
    const std::uintptr_t offset = address - reinterpret_cast<std::uintptr_t>(segment.base);
    if (offset > heap_bytes || bytes > heap_bytes - offset) return nullptr;
    return segment.base + offset;
  }
  bool put_private(int, std::uintptr_t, std::span<const std::byte>) override { return false; }
  bool get_private(int, std::uintptr_t, std::span<std::byte>) override { return false; }
  std::byte* shared_scratch() noexcept override { return node_.scratch; }
  std::size_t shared_scratch_bytes() const noexcept override { return node_.scratch_bytes; }
  [[noreturn]] void abort_job(int) noexcept override { std::abort(); }

 private:
  Message& slot(int rank) { return slots_[static_cast<std::size_t>(rank)]; }
  Inbox& inbox(int rank) { return node_.inboxes[static_cast<std::size_t>(rank)]; }
  transport::OwnHeap& own_heap() const { return *node_.heaps[static_cast<std::size_t>(rank_)]; }

  Node& node_;
  int rank_;
  transport::Capabilities capabilities_;
  transport::Counters counters_;
  std::vector<Message> slots_;  ///< Being filled, by the rank they are for.
  Message arrived_;
  std::vector<std::vector<std::byte>> bulk_;  ///< By token.
};

}  // namespace

void run_threads(int ranks_count, const std::function<void()>& body) {
  Node node(ranks_count);
  std::mutex starting;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks_count; ++rank) {
    threads.emplace_back([&, rank] {
      std::unique_lock lock(starting);  // a World is made to be the only one, or one by one
      runtime::World world(std::make_unique<ThreadTransport>(node, rank));
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
