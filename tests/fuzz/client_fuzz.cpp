#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "fuzz/decoders.hpp"
#include "fuzz/fuzzed_routines.hpp"
#include "rpc/client/serve_callback.hpp"
#include "rpc/links/rank_links.hpp"
#include "rpc/wire/private_file.hpp"
#include "rpc/wire/rank_seconds.hpp"

namespace tasuki::fuzz {

void receive_answer(Bytes input) {
  FuzzedPeer peer(input);
  const rpc::Routine& routine = fuzzed_module().routines.front();
  const rpc::Integers integers = {{"n", 3}};
  const rpc::CallLayout layout = rpc::layout_of(routine, integers, 1);
  std::array<double, 3> a = {1, 2, 3};
  const rpc::ArrayArgument argument{reinterpret_cast<std::byte*>(a.data()), sizeof a, {0, {8}}};
  const rpc::PlacedArray placed{routine.parameters[1], *layout[1], argument};
  const rpc::ClientFunctions functions = {{"g", [](void* const* arguments) {
                                             *static_cast<double*>(arguments[1]) =
                                                 *static_cast<const double*>(arguments[0]);
                                             return std::optional<std::string>();
                                           }}};
  const rpc::PrivateFile file;
  rpc::Exchange exchange{{{"message", "call"}}};
  exchange.sent.push_back(placed);
  exchange.returned.push_back(placed);
  exchange.returned_files.push_back({"u", file.descriptor()});
  exchange.wire = input.size() % 2 == 0 ? rpc::WireFormat::native : rpc::WireFormat::xdr;
  exchange.serve_callback = rpc::serve_callback_of(routine, integers, exchange.wire, functions);
  std::vector<rpc::Socket> ranks;
  ranks.push_back(std::move(peer.socket()));
  rpc::RankLinks links(std::move(ranks));
  for (const nlohmann::json& answer : links.call(std::move(exchange))) {
    rpc::rank_seconds_from(answer.at("seconds"));
  }
}

}  // namespace tasuki::fuzz
