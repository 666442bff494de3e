#include "rpc/rank/call_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <string>
#include <tasuki/error.hpp>
#include <utility>
#include <vector>

#include "rpc/links/failed_call.hpp"
#include "rpc/rank/broken_off_call.hpp"
#include "rpc/rank/call_memory.hpp"
#include "rpc/rank/refused_call.hpp"
#include "rpc/rank/run_routine.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/refusal.hpp"
#include "rpc/wire/shortened.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

const RoutineEntry& entry_of(const RankProgram& program, const Routine& routine) {
  if (const RoutineEntry* const found = program.find(routine.name)) return *found;
  throw error("serve a call", fmt::format("the program has no routine {}", routine.name),
              "build the program again from its interface file");
}

json results(const RankSeconds& seconds) {
  json answer = {{"message", "results"}};
  // Field by field: a list of lists would be copied at each level, for each short call.
  json& of_rank = answer["seconds"];
  of_rank["receive"] = seconds.receive;
  of_rank["compute"] = seconds.compute;
  of_rank["cpu"] = seconds.cpu;
  return answer;
}

/// Of what is kept: clients make names of 32 letters, and the front end remembers them.
constexpr std::size_t name_most_bytes = 64;

/// Returns: "" if it is no name.
std::string name_in(const json& value) {
  if (!value.is_string()) return {};
  const auto& name = value.get_ref<const std::string&>();
  return name.size() <= name_most_bytes ? name : std::string();
}

std::string name_in(const json& message, const char* field) {
  const auto found = message.find(field);
  return found != message.end() ? name_in(*found) : std::string();
}

/// The same of what is to be kept or freed. Throws tasuki::error if it is no name.
std::string sure_name_in(const json& message, const char* field) {
  std::string name = name_in(message, field);
  if (name.empty()) refuse_field(field);
  return name;
}

/// Of what the message keeps or frees.
std::string kept_name_in(const json& message) {
  for (const char* field : {"array", "name"}) {
    if (message.contains(field)) return name_in(message, field);
  }
  return name_in(message, "message") == "make" ? name_in(message, "object") : std::string();
}

/// Of what the call uses of that which is kept. The front end is told of no others.
std::vector<std::string> used_names_in(const json& message, const Routine* routine) {
  std::vector<std::string> names;
  const auto kept = message.find("kept");
  if (routine != nullptr && kept != message.end() && kept->is_object()) {
    for (const Parameter& one : routine->parameters) {
      if (const auto name = kept->find(one.name); name != kept->end()) {
        names.push_back(name_in(*name));
      }
    }
  }
  std::string object = name_in(message, "object");
  if (!object.empty()) names.push_back(std::move(object));
  return names;
}

/// What is wrong with the message is said later, when it is served. A routine that is not there has
/// no name: the front end counts the calls of each.
CallSubject subject_of(const json& message, const Module& module) {
  const Routine* routine = nullptr;
  if (const auto found = message.find("routine"); found != message.end() && found->is_string()) {
    routine = module.find(found->get<std::string>());
  }
  const auto waited = message.find("waited_s");
  const bool has_waited = waited != message.end() && waited->is_number();
  return {name_in(message, "message"), routine != nullptr ? routine->name : std::string(),
          kept_name_in(message),       has_waited ? waited->get<double>() : 0,
          message.contains("memory"),  used_names_in(message, routine)};
}

std::int64_t bytes_of(const std::vector<ArrayBlock>& blocks) {
  std::int64_t bytes = 0;
  for (const ArrayBlock& one : blocks) bytes += static_cast<std::int64_t>(one.bytes.size());
  return bytes;
}

/// What an array is that is kept as it lies for a parameter.
json description_of(const Routine& routine, const Parameter& parameter,
                    const layout::ArrayLayout& layout) {
  json shape = json::array();
  for (int d = 0; d < layout.dimensions(); ++d) shape.push_back(layout.axis(d).extent());
  return {{"routine", routine.name},
          {"argument", parameter.name},
          {"type", name_of(parameter.number)},
          {"shape", std::move(shape)}};
}

/// What comes from the first rank besides arrays.
void add_results(const Routine& routine, const CallMemory& memory, json& answer) {
  json texts = memory.texts().results();
  if (!texts.empty()) {
    check_texts(routine, memory.integers(), texts, &Parameter::is_returned);
    answer["texts"] = std::move(texts);
  }
  json files = memory.files().result_sizes();
  if (!files.empty()) answer["files"] = std::move(files);
}

}  // namespace

void CallServer::serve() {
  reporter_.begin({"call"}, client_.socket);  // Its message may take long to come.
  has_begun_ = false;
  copies_.begin_call();
  std::vector<std::uint8_t> body;
  try {
    {
      // The front end watches the client: this rank may wait while another has its turn.
      const Socket::Patience patience(client_.socket);
      body = receive_body(client_.socket);
      const json message = decode_body(body);
      reporter_.learn(subject_of(message, program_.module));
      serve(message);
    }
    reporter_.end(CallState::done);
    note(body);
  } catch (const Lost& fault) {
    reporter_.end(CallState::failed, fault.happened());
    note(body);
    send_frame(client_.socket, refusal_of(fault));  // By every rank, and all can go on.
  } catch (const error& fault) {
    fail(fault, body);
  } catch (const std::exception& fault) {  // Of a library that the message has surprised.
    fail(error("serve a call", fault.what(), "use a client of Tasuki's"), body);
  }
}

void CallServer::note(std::span<const std::uint8_t> body) {
  said_.add(body);
  if (!copies_.all().empty()) said_.add(copies_.all());
}

void CallServer::fail(const error& fault, std::span<const std::uint8_t> body) {
  const error told(fault.operation(), shortened(fault.happened()), fault.remedy());
  const bool has_client_gone = client_.socket.has_ended();
  reporter_.end(has_client_gone ? CallState::cancelled : CallState::failed, told.happened());
  if (has_begun_) note(body);
  try {
    if (!has_client_gone) send_frame(client_.socket, failure_of(told));
  } catch (const error&) {
    client_.socket.shut_down();  // It has gone meanwhile.
  }
  if (!has_begun_) throw RefusedCall(told);
  if (has_client_gone) throw BrokenOffCall(told);
  throw error(told);
}

void CallServer::serve(const json& message) {
  const auto kind = field_of<std::string>(message, "message");
  if (message.contains("waited_s") && !std::isfinite(field_of<double>(message, "waited_s"))) {
    refuse_field("waited_s");
  }
  if (kind == "call") return call(message);
  if (kind == "keep") {
    keep(message);
  } else if (kind == "make") {
    make(message);
  } else if (kind == "free") {
    free(message);
  } else {
    refuse_field("message");
  }
  send_frame(client_.socket, results(reporter_.enter(CallState::sending)));
}

void CallServer::make(const json& message) {
  const std::string object = sure_name_in(message, "object");
  const auto class_name = field_of<std::string>(message, "class");
  kept_.objects.check_class(class_name);
  reporter_.enter(CallState::computing);
  has_begun_ = true;
  reporter_.tell_kept(
      {object, true, kept_.make_object(object, class_name), {{"class", class_name}}});
}

void CallServer::free(const json& message) {
  const std::string name = sure_name_in(message, "name");
  reporter_.enter(CallState::computing);
  has_begun_ = true;
  kept_.free(name);
  reporter_.tell_freed(name);
}

const Routine& CallServer::routine_of(const json& message) const {
  const auto name = field_of<std::string>(message, "routine");
  if (const Routine* routine = program_.module.find(name)) return *routine;
  throw error("serve a call", fmt::format("the interface has no routine {}", name),
              "choose one of the server's routines");
}

void CallServer::call(const json& message) {
  const Routine& routine = routine_of(message);
  const RoutineEntry& entry = entry_of(program_, routine);
  CallMemory::Kept kept;
  if (message.contains("kept")) kept = field_of<CallMemory::Kept>(message, "kept");
  const json files = message.value("files", json::object());
  CallMemory memory(routine, field_of<json>(message, "scalars"), std::move(kept),
                    {program_.rank, program_.ranks, call_most_bytes_}, memory_,
                    message.value("texts", json::object()), files);
  ArrayTransfer transfer(client_, message);
  const std::vector<ArrayBlock> returned = memory.results();
  reporter_.expect(memory.received_bytes(), bytes_of(returned));
  memory.receive(transfer);
  memory.receive_files(client_.socket, files);
  memory.use(kept_.arrays);
  const std::int64_t object =
      routine.is_method()
          ? kept_.objects.use(field_of<std::string>(message, "object"), routine.class_name())
          : 0;
  reporter_.enter(CallState::computing);
  has_begun_ = true;
  CallbackCaller callbacks(routine, message, program_.rank, client_.socket);
  run_routine(entry, memory, object, &callbacks);
  json answer = results(reporter_.enter(CallState::sending));
  if (program_.rank == 0) add_results(routine, memory, answer);
  transfer.send_results(std::move(answer), returned, memory.files());
}

void CallServer::keep(const json& message) {
  const std::string array = sure_name_in(message, "array");
  const Routine routine = without_ranges(routine_of(message));
  const Integers integers = integers_of(routine, field_of<json>(message, "scalars"));
  const auto name = field_of<std::string>(message, "parameter");
  const auto found = std::ranges::find(routine.parameters, name, &Parameter::name);
  if (found == routine.parameters.end() || !found->is_array()) {
    throw error("put an array", fmt::format("{} has no array {}", routine.name, name),
                "choose one of the routine's arrays");
  }
  const CallLayout all = layout_of(routine, integers, program_.ranks);
  const auto index = static_cast<std::size_t>(found - routine.parameters.begin());
  const layout::ArrayLayout& layout = *all[index];
  CallLayout only(all.size());
  only[index] = layout;
  check_call_bytes(routine, only, 0, call_most_bytes_);
  const auto bytes = static_cast<std::size_t>(layout.local_bytes(program_.rank));
  ArrayTransfer transfer(client_, message);
  reporter_.expect(static_cast<std::int64_t>(bytes), 0);
  if (const std::optional<Lost> refusal = kept_.array_refusal(array, layout)) {
    transfer.discard({*found, layout, program_.rank, {}});
    throw Lost(*refusal);
  }
  BlockMemory::Piece block = memory_.take(bytes);
  if (block.memory == nullptr) {
    throw error("put an array", fmt::format("rank {} has no {} bytes", program_.rank, bytes),
                "free other arrays, or use more ranks");
  }
  transfer.receive(
      {*found, layout, program_.rank, {static_cast<std::byte*>(block.memory.get()), bytes}});
  reporter_.tell_kept({array, false,
                       kept_.arrays.keep(array, found->number, layout, std::move(block)),
                       description_of(routine, *found, layout)});
}

}  // namespace tasuki::rpc
