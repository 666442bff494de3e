#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <tasuki/call.hpp>
#include <tasuki/detail/base/job_programs.hpp>
#include <tasuki/detail/runtime/calls/awaited_call.hpp>
#include <tasuki/error.hpp>
#include <tasuki/named.hpp>
#include <utility>

#include "runtime/calls/named_failure.hpp"

namespace tasuki::runtime {
namespace {

/// Never destroyed: what Python has named holds objects of an interpreter that ends before.
std::map<std::string, NamedFunction, std::less<>>& functions() {
  static auto* const all = new std::map<std::string, NamedFunction, std::less<>>;
  return *all;
}

const NamedFunction& function_of(const std::string& name) {
  const auto found = functions().find(name);
  if (found != functions().end()) return found->second;
  std::string known;
  for (const auto& [other, function] : functions()) known += (known.empty() ? "" : ", ") + other;
  throw error(fmt::format("calling {}", name),
              fmt::format("this rank's program has no function of that name{}{}",
                          known.empty() ? "" : ", but ", known),
              "check the name, or register it there before the ranks start, with tasuki::Named or "
              "ranks.named");
}

/// A call by name as it has arrived.
struct NamedCall {
  std::string name;
  NamedBytes arguments;

  static NamedCall read(Rank& self, Reader& reader) {
    auto name = Codec<std::string>::read(self.sender.modules(), reader);
    return {std::move(name), Codec<NamedBytes>::read(self.sender.modules(), reader)};
  }
  NamedBytes run() const {
    ValueReader values(arguments, name);
    return function_of(name)(values);
  }
};

}  // namespace

// Programs of one job that were linked apart find handlers by their symbols; so they have some.

void handle_named_result(Rank& self, int source, Reader& reader) {
  const ReplyTo call(reader.read<ReplyToken>());
  put_value<NamedBytes>(*call, Codec<NamedBytes>::read(self.sender.modules(), reader));
  call->complete();
  note_answer(self, source);
}

void handle_named_call(Rank& self, int source, Reader& reader) {
  const auto token = reader.read<ReplyToken>();
  const NamedCall call = NamedCall::read(self, reader);
  self.waits.set_served({source, 0, token.number, kept_name(call.name)});
  try {
    send_answer(self.sender, source, &handle_named_result, token, call.run());
  } catch (...) {
    send_failure(self, source, token, call.name);
  }
}

void handle_named_post(Rank& self, int source, Reader& reader) {
  const NamedCall call = NamedCall::read(self, reader);
  self.waits.set_served({source, 0, 0, kept_name(call.name)});
  try {
    call.run();
  } catch (...) {
    one_way_call_failed(self, source, call.name);
  }
  ++self.traffic.with(source).done;
}

void name_function(const std::string& name, NamedFunction function) {
  call_by_name();
  if (functions().emplace(name, std::move(function)).second) return;
  throw error(fmt::format("naming a function {}", name), "there is another one of that name",
              "give each function of a program a name of its own");
}

const char* kept_name(const std::string& name) {
  static std::set<std::string> all;
  return all.insert(name).first->c_str();
}

void call_by_name() { base::admit_other_programs(); }

Future<NamedBytes> ainvoke_named(int rank, const std::string& name, const NamedBytes& arguments) {
  Rank& self = Rank::current();
  self.check_rank(rank, "ainvoke");
  const fiber::WaitReason reason{fiber::WaitKind::reply, rank, kept_name(name)};
  AwaitedCall call(self, begin_awaited_call(self, *new FutureState<NamedBytes>, reason));
  send_values(self.sender, rank, &handle_named_call, call.token(), name, arguments);
  return Future<NamedBytes>(call.sent());
}

void post_named(int rank, const std::string& name, const NamedBytes& arguments) {
  Rank& self = Rank::current();
  self.check_rank(rank, "post");
  self.traffic.with(rank).begin(
      [&] { send_values(self.sender, rank, &handle_named_post, name, arguments); });
}

}  // namespace tasuki::runtime
