#include <tasuki/routines.h>

#include <atomic>
#include <exception>
#include <span>
#include <tasuki/error.hpp>
#include <tasuki/routines.hpp>
#include <vector>

#include "rpc/rank/call_memory.hpp"
#include "rpc/rank/current_call.hpp"

namespace {

using tasuki::rpc::ClassEntry;
using tasuki::rpc::CurrentCall;
using tasuki::rpc::LayoutInC;
using tasuki::rpc::RoutineEntry;
using tasuki::rpc::StateVariable;

std::atomic<int> communicator = -1;

const LayoutInC* find(const void* argument) {
  const CurrentCall* const call = CurrentCall::get();
  return call == nullptr ? nullptr : call->memory().find(argument);
}

}  // namespace

int tasuki_serve_calls(int rank, int ranks, const tasuki_routine* routines,
                       std::size_t routines_count) {
  return tasuki_serve_classes(rank, ranks, routines, routines_count, nullptr, 0);
}

int tasuki_serve_classes(int rank, int ranks, const tasuki_routine* routines,
                         std::size_t routines_count, const tasuki_class* classes,
                         std::size_t classes_count) {
  return tasuki_serve_interface(rank, ranks, "", routines, routines_count, classes, classes_count);
}

int tasuki_serve_interface(int rank, int ranks, const char* signature,
                           const tasuki_routine* routines, std::size_t routines_count,
                           const tasuki_class* classes, std::size_t classes_count) {
  try {
    std::vector<std::vector<StateVariable>> variables;
    std::vector<ClassEntry> class_entries;
    for (const tasuki_class& one : std::span(classes, classes_count)) {
      auto& own = variables.emplace_back();
      for (const tasuki_state_variable& variable : std::span(one.variables, one.variables_count)) {
        own.push_back({variable.memory, variable.bytes});
      }
      class_entries.push_back({one.name, own});
    }
    std::vector<RoutineEntry> entries;
    for (const tasuki_routine& one : std::span(routines, routines_count)) {
      entries.push_back({one.name, one.run});
    }
    tasuki::rpc::serve_calls(rank, ranks, entries, class_entries, signature);
    return 0;
  } catch (const std::exception& fault) {
    tasuki::base::report(fault.what());
    return 1;
  }
}

std::int64_t tasuki_object() {
  const CurrentCall* const call = CurrentCall::get();
  return call == nullptr ? 0 : call->object();
}

int tasuki_communicator() { return communicator; }

void tasuki_set_communicator(int handle) { communicator = handle; }

const tasuki_array_layout* tasuki_layout(const void* argument) {
  const LayoutInC* const layout = find(argument);
  return layout == nullptr ? nullptr : &layout->get();
}

std::int64_t tasuki_global_index(const void* argument, int dimension, std::int64_t local_index) {
  const LayoutInC* const layout = find(argument);
  return layout == nullptr ? -1 : layout->global_index(dimension, local_index);
}

void* tasuki_widen(const void* argument) {
  CurrentCall* const call = CurrentCall::get();
  if (call == nullptr) return nullptr;
  try {
    return call->memory().widen(argument);
  } catch (const tasuki::error& fault) {
    call->fail(fault.happened());
    return nullptr;
  }
}

void tasuki_narrow(const void* argument) {
  CurrentCall* const call = CurrentCall::get();
  if (call == nullptr) return;
  try {
    call->memory().narrow(argument);
  } catch (const tasuki::error& fault) {
    call->fail(fault.happened());
  }
}

void tasuki_call_back(const char* callback, void* const* arguments) {
  if (CurrentCall* const call = CurrentCall::get()) call->call_back(callback, arguments);
}

void tasuki_fail(const char* happened) {
  if (CurrentCall* const call = CurrentCall::get()) call->fail(happened);
}
