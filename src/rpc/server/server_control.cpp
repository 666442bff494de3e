#include "rpc/server/server_control.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace tasuki::rpc {
namespace {

using nlohmann::json;

std::string described(const Person& person) {
  return fmt::format("{} at {}", person.user.name.empty() ? "somebody" : person.user.name,
                     person.host);
}

/// For calls that name it later.
std::string freed_by(const Person& person) {
  return fmt::format("it was freed by {}", described(person));
}

/// For the log file.
json facts_of(const Person& person) {
  return {{"client", {{"host", person.host}}}, {"user", person.user.name}};
}

}  // namespace

ServerControl::Outcome ServerControl::cancel(const Person& person, std::int64_t call) {
  const std::optional<CallPlace> place = calls_.find(call);
  if (!place) return Outcome::not_there;
  if (place->origin.user != person.user.name) return Outcome::not_allowed;
  if (!modules_.cancel(*place, described(person))) return Outcome::not_there;
  json facts = facts_of(person);
  facts["number"] = call;
  audit_.write("cancel", std::move(facts));
  return Outcome::done;
}

std::optional<KeptTable::Unwanted> ServerControl::give_up(const Person& person,
                                                          const std::string& name) {
  auto unwanted = kept_.give_up(person.user.name, name);
  if (!unwanted || unwanted->was_unwanted) return unwanted;
  json facts = facts_of(person);
  facts["module"] = unwanted->module;
  facts["kept"] = name;
  audit_.write("free", std::move(facts));
  return unwanted;
}

ServerControl::Outcome ServerControl::free(const Person& person, const std::string& name) {
  const auto unwanted = give_up(person, name);
  if (!unwanted) return Outcome::not_there;
  modules_.discard(unwanted->program, name, freed_by(person));
  return Outcome::done;
}

ServerControl::Outcome ServerControl::begin_to_free(const Person& person, const std::string& name) {
  const auto unwanted = give_up(person, name);
  if (!unwanted) return Outcome::not_there;
  if (!unwanted->was_unwanted) {
    modules_.begin_to_discard(unwanted->program, name, freed_by(person));
  }
  return Outcome::done;
}

}  // namespace tasuki::rpc
