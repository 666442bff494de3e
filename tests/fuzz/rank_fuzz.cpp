#include <optional>
#include <thread>

#include "fuzz/decoders.hpp"
#include "fuzz/fuzzed_routines.hpp"
#include "rpc/rank/call_server.hpp"
#include "rpc/rank/front_end_link.hpp"

namespace tasuki::fuzz {
namespace {

constexpr std::int64_t most_bytes = 1 << 16;

/// What a rank has besides its client: a front end that listens to nothing.
struct RankParts {
  RankParts() { reporter.begin_lease(1); }

  static rpc::Socket make_deaf() {
    int ends[2];
    require(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    std::thread([far = ends[1]] {
      char buffer[4096];
      while (recv(far, buffer, sizeof buffer, 0) > 0) {
      }
    }).detach();
    return {ends[0], "a deaf front end"};
  }

  rpc::FrontEndLink front_end{make_deaf()};
  rpc::CallReporter reporter{front_end};
};

RankParts& parts() {
  static auto* const one = new RankParts;  // Its threads go on until the process ends.
  return *one;
}

}  // namespace

void serve_calls(Bytes input) {
  FuzzedPeer peer(input);
  rpc::Kept kept(fuzzed_program(), most_bytes);
  const std::optional<rpc::PeerMemory> memory;  // It cannot be read.
  rpc::RunningDigest said;
  rpc::CallServer calls(fuzzed_program(), kept, parts().reporter, peer.socket(), memory, most_bytes,
                        said);
  while (true) calls.serve();
}

void obey_front_end(Bytes input) {
  FuzzedPeer peer(input);
  rpc::FrontEndLink link(std::move(peer.socket()));
  rpc::CallGate gate([](std::int64_t) {}, rpc::CallGate::Clock::now());
  static rpc::Listener nobody({"127.0.0.1", 0});
  while (const auto order = link.next_lease([](const rpc::DiscardOrder&) {}, nobody)) {
    link.attend(order->number, &gate);
  }
  link.attend(0, nullptr);
}

}  // namespace tasuki::fuzz
