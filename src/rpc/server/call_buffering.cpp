#include <algorithm>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/layout/owner_cursor.hpp>
#include <thread>
#include <utility>
#include <variant>

#include "rpc/interface/call_layout.hpp"
#include "rpc/links/lost.hpp"
#include "rpc/server/ring_buffer.hpp"
#include "rpc/server/staged_call.hpp"
#include "rpc/wire/file_transfer.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/too_slow.hpp"
#include "rpc/wire/xdr.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

// Those of the paper (section 5.1).
constexpr std::size_t ring_bytes = std::size_t{1} << 20;
constexpr std::size_t drain_bytes = ring_bytes / 5 * 4;
/// Whoever drains need not wait for more than this once that is there.
constexpr std::size_t filled_at_once_bytes = std::size_t{64} << 10;

/// What passes through the ring, and between whom.
struct Passing {
  Socket& client;
  RankLinks& ranks;
  WireFormat wire;
  RingBuffer& ring;
  const StagingTerms& terms;
};

/// Fills the ring with an array's numbers, part by part.
template <class Receive>
void fill(RingBuffer& ring, Number number, std::int64_t bytes, Receive receive) {
  while (bytes > 0) {
    std::span<std::byte> room = ring.room(bytes_of(number));
    room =
        room.first(std::min({room.size(), static_cast<std::size_t>(bytes), filled_at_once_bytes}));
    receive(room);
    ring.fill(room.size());
    bytes -= static_cast<std::int64_t>(room.size());
  }
}

/// The reverse.
template <class Send>
void drain(RingBuffer& ring, Number number, std::int64_t bytes, Send send) {
  ring.begin_draining_array();
  while (bytes > 0) {
    std::span<const std::byte> content = ring.content(bytes_of(number));
    content = content.first(std::min(content.size(), static_cast<std::size_t>(bytes)));
    send(content);
    ring.drain(content.size());
    bytes -= static_cast<std::int64_t>(content.size());
  }
}

void fill_from_client(const Passing& passing, const std::vector<StagedArray>& arrays) {
  XdrReceiver as_xdr(passing.client);
  for (const auto& [parameter, layout, whole] : arrays) {
    const Number number = parameter.number;
    passing.ring.begin_filling_array();
    fill(passing.ring, number, layout.whole_selected_bytes(), [&](std::span<std::byte> room) {
      if (passing.wire == WireFormat::xdr) {
        as_xdr.receive(number, room);
      } else {
        passing.client.receive(room.data(), room.size());
      }
    });
  }
  passing.ring.end_filling();
}

/// Divides an array, whose bytes come one after the other, among the ranks.
class Division {
 public:
  Division(RankLinks& ranks, const layout::ArrayLayout& layout)
      : ranks_(ranks),
        is_divided_(std::holds_alternative<layout::Grid>(layout.placement())),
        cursor_(layout) {}

  /// Returns when the next bytes of the array are sent.
  void send(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      if (run_.bytes == 0) run_ = *cursor_.next();
      const std::size_t part = std::min(bytes.size(), static_cast<std::size_t>(run_.bytes));
      add(bytes.first(part));
      run_.bytes -= static_cast<std::int64_t>(part);
      bytes = bytes.subspan(part);
    }
    for (int rank = 0; rank < ranks_.ranks(); ++rank) ranks_[rank].sender().flush();
  }

 private:
  void add(std::span<const std::byte> bytes) {
    if (is_divided_) return ranks_[run_.rank].sender().add(bytes);
    for (int rank = 0; rank < ranks_.ranks(); ++rank) ranks_[rank].sender().add(bytes);
  }

  RankLinks& ranks_;
  bool is_divided_;
  layout::OwnerCursor cursor_;
  layout::OwnedRun run_;  ///< What is left of it.
};

void drain_to_ranks(const Passing& passing, const std::vector<StagedArray>& arrays) {
  for (const auto& [parameter, layout, whole] : arrays) {
    Division division(passing.ranks, layout);
    drain(passing.ring, parameter.number, layout.whole_selected_bytes(),
          [&](std::span<const std::byte> content) { division.send(content); });
  }
}

void fill_from_ranks(const Passing& passing, const std::vector<StagedArray>& arrays) {
  for (const auto& [parameter, layout, whole] : arrays) {
    passing.ring.begin_filling_array();
    layout::OwnerCursor cursor(layout);
    while (const auto run = cursor.next()) {
      Socket& rank = passing.ranks[run->rank].socket();
      fill(passing.ring, parameter.number, run->bytes,
           [&](std::span<std::byte> room) { rank.receive(room.data(), room.size()); });
    }
  }
  passing.ring.end_filling();
}

void drain_to_client(const Passing& passing, const std::vector<StagedArray>& arrays) {
  XdrSender as_xdr(passing.client);
  for (const auto& [parameter, layout, whole] : arrays) {
    const Number number = parameter.number;
    drain(passing.ring, number, layout.whole_selected_bytes(),
          [&](std::span<const std::byte> content) {
            if (passing.wire == WireFormat::xdr) {
              as_xdr.add(number, content);
            } else {
              passing.client.send(content.data(), content.size());
            }
          });
  }
  if (passing.wire == WireFormat::xdr) as_xdr.flush();
}

/// Fills and drains the ring at once. Throws what one of them throws, after both have ended.
void pass(const Passing& passing, const std::function<void()>& fill,
          const std::function<void()>& drain) {
  std::exception_ptr fault;
  std::mutex mutex;
  const auto give_up = [&] {
    const std::lock_guard guard(mutex);
    if (!fault) fault = std::current_exception();
    passing.ring.give_up();
    passing.client.shut_down();
    passing.ranks.shut_down();
  };
  const auto run = [&](const std::function<void()>& work) {
    try {
      work();
    } catch (const TooSlow&) {
      passing.terms.client_is_slow(true);  // Ranks may take as long as they like.
      give_up();
    } catch (...) {
      give_up();
    }
  };
  {
    const std::jthread filling([&] { run(fill); });
    run(drain);
  }
  if (fault) std::rethrow_exception(fault);
}

void pass_files_to_ranks(Socket& client, RankLinks& ranks, const StagedCall& call) {
  std::vector<Socket*> all;
  for (int rank = 0; rank < ranks.ranks(); ++rank) all.push_back(&ranks[rank].socket());
  for (const PlacedFile& one : call.sent_files) pass_bytes(client, all, one.bytes);
}

void pass_files_to_client(Socket& client, RankLinks& ranks, const StagedCall& call,
                          const json& results) {
  Socket* const to_client[] = {&client};
  for (const std::string& name : call.returned_files) {
    const auto sizes = field_of<json>(results, "files");
    pass_bytes(ranks[0].socket(), to_client, field_of<std::int64_t>(sizes, name.c_str()));
  }
}

std::vector<json> receive_answers(RankLinks& ranks, const ServeCallback& serve_callback) {
  std::vector<json> answers;
  for (int rank = 0; rank < ranks.ranks(); ++rank) {
    answers.push_back(ranks.receive_answer(rank, serve_callback));
  }
  check_not_refused(answers);
  return answers;
}

}  // namespace

void call_buffering(Socket& client, RankLinks& ranks, const StagedCall& call,
                    const StagingTerms& terms) {
  const std::int64_t start_ns = base::now_ns();
  ranks.begin(call.message);
  if (!call.sent.empty()) {
    RingBuffer ring(ring_bytes, drain_bytes);
    const Passing passing{client, ranks, call.wire, ring, terms};
    pass(
        passing, [&] { fill_from_client(passing, call.sent); },
        [&] { drain_to_ranks(passing, call.sent); });
  }
  pass_files_to_ranks(client, ranks, call);
  const json results = staged_results(start_ns, receive_answers(ranks, pass_to(client)), terms);
  send_frame(client, results);
  if (!call.returned.empty()) {
    RingBuffer ring(ring_bytes, drain_bytes);
    const Passing passing{client, ranks, call.wire, ring, terms};
    pass(
        passing, [&] { fill_from_ranks(passing, call.returned); },
        [&] { drain_to_client(passing, call.returned); });
  }
  pass_files_to_client(client, ranks, call, results);
}

}  // namespace tasuki::rpc
