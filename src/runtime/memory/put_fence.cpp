#include "runtime/memory/put_fence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tasuki/call.hpp>
#include <tasuki/error.hpp>

#include "runtime/memory/puts.hpp"
#include "runtime/waiting/counted.hpp"

namespace tasuki::runtime {

// Programs of one job that were linked apart find handlers by their symbols; so it has one.
void handle_done(Rank& self, int source, Reader& reader) {
  ReplyTo(reader.read<ReplyToken>())->complete();
  ++self.traffic.with(source).done;
}

void send_done(Rank& self, int rank, ReplyToken token) {
  send_answer(self.sender, rank, &handle_done, token);
}

void PutFence::wait_for_fences(int rank) {
  const Peer& to = peer(rank);
  while (to.open_fences_count != 0) {
    self_.waits.wait_until([&] { return to.open_fences_count == 0; },
                           {fiber::WaitKind::transfer, rank});
  }
}

void PutFence::take_back_bulk(int rank) {
  Peer& to = peer(rank);
  if (to.open_fences_count != 0) {
    base::die(error(fmt::format("writing to rank {}", rank),
                    "it could not be sent, and another fiber's fence waits for it",
                    "give the process more memory, or call fence when no write is being made")
                  .what());
  }
  --to.sent_count;
  to.signals_sent_until = std::min(to.signals_sent_until, to.sent_count);
  --to.bulk_sent_count;
  --self_.traffic.with(rank).begun;
}

void PutFence::handle_question(Rank& self, int source, Reader& reader) {
  const auto token = reader.read<ReplyToken>();
  const auto wanted_count = reader.read<std::uint64_t>();
  const std::uint64_t& arrived_count = self.puts->put_fence().peer(source).bulk_arrived_count;
  self.waits.wait_until([&] { return arrived_count >= wanted_count; },
                        {fiber::WaitKind::transfer, source});
  send_done(self, source, token);
}

void PutFence::wait() {
  struct Question {
    explicit Question(Peer& asked) : to(asked), open(asked.open_fences_count) {}
    Peer& to;
    Counted open;
    std::uint64_t sent_count = to.sent_count;
    Future<void> answer;
  };
  std::vector<Question> questions;
  peers_.for_each([&](int rank, Peer& to) {
    if (to.confirmed_count == to.sent_count) return;
    Question& question = questions.emplace_back(to);
    question.answer = ask<void>({fiber::WaitKind::transfer, rank}, [&](ReplyToken token) {
      self_.traffic.with(rank).begin(
          [&] { send_values(self_.sender, rank, &handle_question, token, to.bulk_sent_count); });
    });
  });
  for (; !questions.empty(); questions.pop_back()) {
    Question& question = questions.back();
    question.answer.get();
    question.to.confirmed_count = std::max(question.to.confirmed_count, question.sent_count);
  }
}

}  // namespace tasuki::runtime
