#include "rpc/rank/kept_objects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/rank/block_memory.hpp"
#include "rpc/rank/run_routine.hpp"

namespace tasuki::rpc {
namespace {

/// Ninf-G's names of the methods that run when an object is made and when it ends.
constexpr const char* first_method = "_initialize";
constexpr const char* last_method = "_finalize";

std::vector<std::byte> contents_of(std::span<const StateVariable> variables) {
  std::vector<std::byte> contents;
  for (const StateVariable& one : variables) {
    const auto* const begin = static_cast<const std::byte*>(one.memory);
    contents.insert(contents.end(), begin, begin + one.bytes);
  }
  return contents;
}

void write(const std::vector<std::byte>& contents, std::span<const StateVariable> variables) {
  const std::byte* from = contents.data();
  for (const StateVariable& one : variables) {
    std::memcpy(one.memory, from, one.bytes);
    from += one.bytes;
  }
}

}  // namespace

KeptObjects::KeptObjects(const RankProgram& program, KeepLimit& limit)
    : program_(program), limit_(limit) {
  for (const RemoteClass& one : program.module.classes) states_[one.name] = {};
  for (const ClassEntry& one : program.classes) {
    states_[one.name] = {one.variables, contents_of(one.variables)};
  }
}

const KeptObjects::State& KeptObjects::state_of(const Object& object) const {
  return states_.find(object.class_name)->second;
}

void KeptObjects::check_class(const std::string& class_name) const {
  if (states_.contains(class_name)) return;
  throw error("make an object", fmt::format("the interface has no class {}", class_name),
              "choose one of the server's classes");
}

std::int64_t KeptObjects::bytes_on_all_ranks(const std::string& class_name) const {
  const auto found = states_.find(class_name);
  return static_cast<std::int64_t>(found->second.first.size()) * program_.ranks;
}

void KeptObjects::check_room(const std::string& id, const std::string& class_name) const {
  const auto count = std::ranges::count_if(
      objects_, [&](const auto& one) { return one.second.owner.client == owner_.client; });
  const auto refusal =
      limit_.refusal({"make an object", "object", "its state", id, bytes_on_all_ranks(class_name),
                      objects_.contains(id), count});
  if (refusal) throw Lost(*refusal);
}

std::int64_t KeptObjects::make(const std::string& id, const std::string& class_name) {
  check_room(id, class_name);
  const std::int64_t bytes = bytes_on_all_ranks(class_name);
  limit_.use(bytes);
  Object& object = objects_[id];
  object = {owner_, ++made_count_, class_name, states_.find(class_name)->second.first};
  run(object, first_method);
  return bytes;
}

std::int64_t KeptObjects::use(const std::string& id, std::string_view class_name) {
  const auto found = objects_.find(id);
  if (const std::string* const discarded = discarded_.find(id, owner_.user)) {
    throw LostObject("use an object on the ranks", *discarded, "make another one");
  }
  if (found == objects_.end() || found->second.owner.user != owner_.user ||
      found->second.class_name != class_name) {
    throw LostObject("use an object on the ranks",
                     fmt::format("there is no such object of {}: it was freed, or the ranks were"
                                 " started anew",
                                 class_name),
                     "make another one");
  }
  load(found->second);
  return found->second.number;
}

void KeptObjects::load(Object& object) {
  if (loaded_ == &object) return;
  if (loaded_ != nullptr) loaded_->saved = contents_of(state_of(*loaded_).variables);
  write(object.saved, state_of(object).variables);
  object.saved = {};
  loaded_ = &object;
}

void KeptObjects::run(Object& object, const char* method) {
  load(object);
  const RoutineEntry* const entry = program_.find(fmt::format("{}.{}", object.class_name, method));
  if (entry == nullptr) return;
  // With arguments it is a method like others.
  const Routine* const described = program_.module.find(entry->name);
  if (described != nullptr && !described->parameters.empty()) return;
  const Routine without_arguments{entry->name};
  BlockMemory none;
  CallMemory memory(without_arguments, nlohmann::json::object(), {},
                    {program_.rank, program_.ranks}, none);
  run_routine(*entry, memory, object.number);
}

void KeptObjects::free(const std::string& id) {
  const auto found = objects_.find(id);
  if (found == objects_.end() || found->second.owner.user != owner_.user) return;
  run(found->second, last_method);
  erase(found);
}

void KeptObjects::erase(Objects::iterator object) {
  if (loaded_ == &object->second) loaded_ = nullptr;
  limit_.give_back(bytes_on_all_ranks(object->second.class_name));
  objects_.erase(object);
}

void KeptObjects::end(Objects::iterator object) {
  try {
    run(object->second, last_method);
  } catch (const error& fault) {
    base::report(fault.what());
  }
  erase(object);
}

void KeptObjects::discard(const std::string& id, const std::string& happened) {
  const auto found = objects_.find(id);
  if (found == objects_.end()) return;
  discarded_.add(id, found->second.owner, happened);
  end(found);
}

void KeptObjects::lease_to(const KeptOwner& owner, std::span<const std::int64_t> gone) {
  owner_ = owner;
  discarded_.forget(gone);
  for (auto one = objects_.begin(); one != objects_.end();) {
    const auto next = std::next(one);
    if (std::ranges::find(gone, one->second.owner.client) != gone.end()) end(one);
    one = next;
  }
}

}  // namespace tasuki::rpc
