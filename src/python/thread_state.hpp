// Which fiber of the rank runs Python: each has a thread state of the interpreter of its own, and
// gives the interpreter up before it may wait.
//
// The interpreter keeps the frames, the exception being handled and the depth of recursion in a
// thread state. It may be exchanged for another whenever the interpreter is given up, also by the
// same thread. So a function that is called remotely gets one from a pool, and may wait inside
// Python like any other; see docs/design/python-on-ranks.md. Used by all of this folder.
//
// Thread-safety: the rank's own thread; other threads of the program may take the interpreter while
// it is given up.
#pragma once

#include <Python.h>

namespace tasuki::python {

/// The fiber does not run Python while this lives: around all that may wait.
/// Requires: it runs Python now.
class Released {
 public:
  Released() noexcept : state_(PyEval_SaveThread()) {}
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;
  ~Released();

 private:
  PyThreadState* state_;
};

/// The fiber runs Python while this lives. Nothing is done if it does already.
class Attached {
 public:
  Attached();
  Attached(const Attached&) = delete;
  Attached& operator=(const Attached&) = delete;
  ~Attached();

 private:
  PyThreadState* state_;  ///< nullptr: it ran Python already.
};

/// Around the whole job. The first fiber that is attached goes on with the caller's own thread
/// state, and so with its context variables.
class ThreadStates {
 public:
  ThreadStates();
  ThreadStates(const ThreadStates&) = delete;
  ThreadStates& operator=(const ThreadStates&) = delete;
  ~ThreadStates();

 private:
  PyThreadState* own_;
};

/// A reference to an object of Python, which may be copied and dropped by fibers that do not run
/// Python.
class Reference {
 public:
  Reference() = default;
  /// Takes over one reference to `object`.
  explicit Reference(PyObject* object) noexcept : object_(object) {}
  Reference(const Reference& other);
  Reference(Reference&& other) noexcept;
  Reference& operator=(Reference other) noexcept;
  ~Reference();

  PyObject* get() const noexcept { return object_; }
  /// The reference goes over to the caller.
  PyObject* release() noexcept;

 private:
  PyObject* object_ = nullptr;
};

}  // namespace tasuki::python
