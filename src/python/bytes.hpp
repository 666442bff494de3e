// Bytes on their way between Python and messages.
//
// Used by the calls of this folder. Thread-safety: by a fiber that runs Python.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <span>
#include <vector>

namespace tasuki::python {

/// Requires: `bytes` is a bytes object.
inline std::vector<std::byte> copied(nanobind::handle bytes) {
  const auto* const first = reinterpret_cast<const std::byte*>(PyBytes_AsString(bytes.ptr()));
  if (first == nullptr) nanobind::raise_python_error();
  return {first, first + PyBytes_Size(bytes.ptr())};
}

/// The bytes where they lie, as a memoryview.
inline nanobind::object view_of(std::span<const std::byte> bytes) {
  auto* const first = const_cast<char*>(reinterpret_cast<const char*>(bytes.data()));
  nanobind::object view = nanobind::steal(
      PyMemoryView_FromMemory(first, static_cast<Py_ssize_t>(bytes.size()), PyBUF_READ));
  if (!view.is_valid()) nanobind::raise_python_error();
  return view;
}

/// The same, to write there.
inline nanobind::object writable_view_of(std::span<std::byte> bytes) {
  nanobind::object view = nanobind::steal(PyMemoryView_FromMemory(
      reinterpret_cast<char*>(bytes.data()), static_cast<Py_ssize_t>(bytes.size()), PyBUF_WRITE));
  if (!view.is_valid()) nanobind::raise_python_error();
  return view;
}

}  // namespace tasuki::python
