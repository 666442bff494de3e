#include "rpc/server/module_table.hpp"

#include <algorithm>
#include <exception>
#include <set>
#include <system_error>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/interface/module.hpp"
#include "rpc/tls/digest.hpp"
#include "rpc/tls/tls_secret.hpp"
#include "rpc/wire/secret.hpp"

namespace tasuki::rpc {

using Guard = std::lock_guard<std::mutex>;

namespace {

/// For threads, in which nobody else would take an error.
void reporting(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& fault) {
    base::report(fault.what());
  }
}

/// Returns: false if no thread is to be had.
bool try_start(std::thread& thread, const std::function<void()>& work) {
  try {
    thread = std::thread(work);
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

/// Does that with each group at the same time. Returns when all is done.
void at_once(const std::vector<RankGroup>& groups,
             const std::function<void(RoutineProcesses&)>& work) {
  std::vector<std::jthread> threads;
  for (const RankGroup& one : groups) {
    const auto run = [&work, one] { reporting([&] { work(*one); }); };
    try {
      threads.emplace_back(run);
    } catch (const std::system_error&) {
      run();  // No thread is to be had: the next one has to wait.
    }
  }
}

}  // namespace

ModuleTable::Entry ModuleTable::make(const ServedModule& module, std::int64_t revision) {
  Entry made{module, {}};
  for (int pool = 0; pool < pools_; ++pool) {
    RoutineProgram program{
        module.command, module.ranks,         front_end_, make_secret(),   module.keep_limit_bytes,
        limits_,        module.documentation, revision,   module.signature};
    made.groups.push_back(std::make_shared<RoutineProcesses>(module_from_json(module.interface),
                                                             std::move(program), log_, kept_));
  }
  return made;
}

void ModuleTable::offer(const std::vector<ServedModule>& modules) {
  for (const ServedModule& one : modules) {
    Entry made = make(one, revision_);
    const std::vector<RankGroup> groups = made.groups;
    {
      const Guard guard(mutex_);
      entries_.push_back(std::move(made));
    }
    if (!one.is_warm) continue;
    for (const RankGroup& group : groups) group->start();
  }
}

ModuleTable::Entry ModuleTable::make_ready(const ServedModule& module, std::int64_t revision) {
  Entry made = make(module, revision);
  if (!module.is_warm) return made;
  {
    const Guard guard(mutex_);
    if (is_ending_ || is_draining_) return made;
    starting_ = made.groups;
  }
  try {
    for (const RankGroup& group : made.groups) group->start();
    for (const RankGroup& group : made.groups) group->await_start();
  } catch (const error&) {
    forget_starting();
    throw;
  }
  return made;
}

void ModuleTable::forget_starting() {
  std::vector<RankGroup> groups;
  {
    const Guard guard(mutex_);
    groups.swap(starting_);
  }
  for (const RankGroup& one : groups) one->stop();
  for (const RankGroup& one : groups) one->end();
}

ModuleTable::Entry* ModuleTable::find(const std::string& name) {
  const auto found =
      std::ranges::find(entries_, name, [](const Entry& one) { return one.served.name(); });
  return found == entries_.end() ? nullptr : &*found;
}

ModuleChanges ModuleTable::replace(const std::vector<ServedModule>& modules) {
  forget_tasks();
  ModuleChanges changes;
  std::set<std::string> wanted;
  for (const ServedModule& one : modules) {
    wanted.insert(one.name());
    try {
      if (replace_one(one)) changes.begun.push_back(one.name());
    } catch (const error& fault) {
      changes.happened.emplace_back(fault.what());
    }
  }
  std::vector<RankGroup> unwanted;
  {
    const Guard guard(mutex_);
    std::erase_if(entries_, [&](const Entry& entry) {
      if (wanted.contains(entry.served.name())) return false;
      changes.ended.push_back(entry.served.name());
      unwanted.insert(unwanted.end(), entry.groups.begin(), entry.groups.end());
      return true;
    });
  }
  retire(std::move(unwanted));
  return changes;
}

bool ModuleTable::replace_one(const ServedModule& module) {
  std::vector<RankGroup> before;
  std::int64_t revision = 0;
  {
    const Guard guard(mutex_);
    revision = revision_ + 1;
    if (const Entry* const found = find(module.name())) {
      if (found->served == module) return false;
      before = found->groups;
      if (found->served.interface == module.interface) revision = before.front()->revision();
    }
  }
  Entry made = make_ready(module, revision);
  {
    const Guard guard(mutex_);
    if (is_ending_ || is_draining_) return false;
    starting_.clear();
    revision_ = std::max(revision_, revision);
    if (Entry* const found = find(module.name())) {
      *found = std::move(made);
    } else {
      entries_.push_back(std::move(made));
    }
  }
  retire(std::move(before));
  return true;
}

void ModuleTable::retire(std::vector<RankGroup> groups) {
  if (groups.empty()) return;
  begin_task(std::move(groups), [](const std::vector<RankGroup>& retired) {
    at_once(retired, [](RoutineProcesses& one) { one.retire(); });
    for (const RankGroup& one : retired) one->stop();
    for (const RankGroup& one : retired) one->end();
  });
}

void ModuleTable::begin_task(std::vector<RankGroup> groups, const Work& work) {
  const auto task = std::make_shared<Task>();
  task->groups = std::move(groups);
  const auto run = [task, work] {
    reporting([&] { work(task->groups); });
    task->is_over = true;
  };
  {
    const Guard guard(mutex_);
    tasks_.push_back(task);
    if (try_start(task->thread, run)) return;
  }
  run();  // No thread is to be had: who reloads waits.
}

void ModuleTable::forget_tasks() {
  const Guard guard(mutex_);
  std::erase_if(tasks_, [](const std::shared_ptr<Task>& one) {
    if (!one->is_over) return false;
    if (one->thread.joinable()) one->thread.join();
    return true;
  });
}

OfferedModules ModuleTable::offered() const {
  const Guard guard(mutex_);
  OfferedModules found{revision_, {}};
  for (const Entry& one : entries_) {
    found.groups.insert(found.groups.end(), one.groups.begin(), one.groups.end());
  }
  return found;
}

std::vector<RankGroup> ModuleTable::all() const {
  std::vector<RankGroup> found = offered().groups;
  const Guard guard(mutex_);
  found.insert(found.end(), starting_.begin(), starting_.end());
  for (const auto& one : tasks_) {
    found.insert(found.end(), one->groups.begin(), one->groups.end());
  }
  return found;
}

RankGroup ModuleTable::find_key(std::string_view key) const {
  RankGroup found;
  for (const RankGroup& one : all()) {
    if (is_same_secret(one->key(), key)) found = one;
  }
  return found;
}

RankGroup ModuleTable::find_identity(std::string_view identity) const {
  for (const RankGroup& one : all()) {
    if (identity_of(one->key()) == identity) return one;
  }
  return nullptr;
}

void ModuleTable::revoke(const Users& users) {
  begin_task({}, [&users, groups = offered().groups](const auto&) {
    at_once(groups, [&](RoutineProcesses& one) { one.revoke(users); });
  });
}

void ModuleTable::make_room_for(const User& user) {
  const auto most = user.limits.calls_at_once;
  if (!most || log_.leases_count(user.name) < *most) return;
  for (const RankGroup& one : all()) {
    one->end_lease_soon_if([&](const User& other) { return other.name == user.name; });
  }
}

bool ModuleTable::cancel(const CallPlace& call, const std::string& by) {
  return std::ranges::any_of(all(), [&](const RankGroup& one) {
    return one->module().name == call.origin.module && one->cancel(call, by);
  });
}

void ModuleTable::discard(const std::string& program, const std::string& name,
                          const std::string& happened) const {
  // Without its program it is not there any more.
  if (const RankGroup found = find_key(program)) found->discard(name, happened);
}

void ModuleTable::begin_to_discard(const std::string& program, const std::string& name,
                                   const std::string& happened) const {
  if (const RankGroup found = find_key(program)) found->begin_to_discard(name, happened);
}

void ModuleTable::keep_house() {
  for (const RankGroup& one : all()) one->watch_calls();
  for (const RankGroup& one : offered().groups) one->keep_house();
  forget_tasks();
}

void ModuleTable::drain() {
  {
    const Guard guard(mutex_);
    is_draining_ = true;
  }
  // At once: each stops giving its ranks away when it begins.
  at_once(all(), [](RoutineProcesses& one) { one.drain(); });
}

void ModuleTable::end() {
  std::vector<std::shared_ptr<Task>> tasks;
  {
    const Guard guard(mutex_);
    is_ending_ = true;
  }
  const std::vector<RankGroup> groups = all();
  for (const RankGroup& one : groups) one->stop();
  for (const RankGroup& one : groups) one->end();
  {
    const Guard guard(mutex_);
    tasks.swap(tasks_);
  }
  for (const auto& one : tasks) {
    if (one->thread.joinable()) one->thread.join();
  }
}

}  // namespace tasuki::rpc
