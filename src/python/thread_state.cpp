#include "python/thread_state.hpp"

#include <utility>
#include <vector>

#include "python/gil_state.h"

namespace tasuki::python {
namespace {

/// Those that no fiber uses.
std::vector<PyThreadState*>& idle_states() {
  static std::vector<PyThreadState*> states;
  return states;
}

void attach(PyThreadState* state) noexcept {
  PyEval_RestoreThread(state);
  tasuki_bind_gil_state(state);
}

}  // namespace

Released::~Released() { attach(state_); }

Attached::Attached() : state_(nullptr) {
  if (PyGILState_Check() != 0) return;
  std::vector<PyThreadState*>& idle = idle_states();
  if (idle.empty()) {
    state_ = PyThreadState_New(PyInterpreterState_Main());
  } else {
    state_ = idle.back();
    idle.pop_back();
  }
  attach(state_);
}

Attached::~Attached() {
  if (state_ == nullptr) return;
  PyEval_SaveThread();
  idle_states().push_back(state_);
}

ThreadStates::ThreadStates() : own_(PyEval_SaveThread()) { idle_states().push_back(own_); }

ThreadStates::~ThreadStates() {
  attach(own_);
  for (PyThreadState* const state : std::exchange(idle_states(), {})) {
    if (state == own_) continue;
    PyThreadState_Clear(state);
    PyThreadState_Delete(state);
  }
}

Reference::Reference(const Reference& other) : object_(other.object_) {
  if (object_ == nullptr) return;
  const Attached attached;
  Py_INCREF(object_);
}

Reference::Reference(Reference&& other) noexcept : object_(other.release()) {}

Reference& Reference::operator=(Reference other) noexcept {
  std::swap(object_, other.object_);
  return *this;
}

Reference::~Reference() {
  if (object_ == nullptr) return;
  const Attached attached;
  Py_DECREF(object_);
}

PyObject* Reference::release() noexcept { return std::exchange(object_, nullptr); }

}  // namespace tasuki::python
