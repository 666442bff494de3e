// The elements of an array argument: of NumPy, or of anything with the buffer protocol or DLPack.
//
// Made by the functions that take arrays, before anything may wait; held until the operation is
// through with the memory. Throws tasuki::error for what is no array, is not contiguous, may not be
// written or lies on another device.
//
// Thread-safety: made by a fiber that runs Python; may be dropped by any of the rank.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include <tasuki/detail/base/arithmetic.hpp>

#include "python/thread_state.hpp"

namespace tasuki::python {

/// What the elements are, as far as reductions care.
enum class ElementKind : std::uint8_t {
  other,  ///< Bytes that nobody combines: records, text, numbers of 2 bytes with a fraction.
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float32,
  float64,
  complex64,
  complex128,
};

/// As NumPy calls it, for messages.
const char* name_of(ElementKind kind) noexcept;

class Elements {
 public:
  enum class Access : std::uint8_t { read, write };

  Elements() = default;
  /// `operation` and `argument` are what errors name.
  Elements(PyObject* array, Access access, const char* operation, const char* argument);
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;
  Elements(Elements&& other) noexcept;
  Elements& operator=(Elements&& other) noexcept;
  ~Elements();

  std::byte* data() const noexcept { return data_; }
  std::size_t count() const noexcept { return count_; }
  std::size_t element_bytes() const noexcept { return element_bytes_; }
  ElementKind kind() const noexcept { return kind_; }
  /// That of the values of records as tasuki::Located; else `other`.
  ElementKind located_kind() const noexcept { return located_kind_; }

 private:
  void take_buffer() noexcept;
  void take_tensor(PyObject* array, Access access, const char* operation, const char* argument);

  Py_buffer view_{};
  /// A DLPack tensor as its object has exported it: its memory may belong to nobody else.
  std::optional<nanobind::ndarray<nanobind::ro>> tensor_;
  std::byte* data_ = nullptr;
  std::size_t count_ = 0;
  std::size_t element_bytes_ = 0;
  ElementKind kind_ = ElementKind::other;
  ElementKind located_kind_ = ElementKind::other;
};

/// A NumPy array over the memory of a tensor with DLPack, of the tensor's shape and strides, which
/// keeps that memory. Throws tasuki::error if it lies elsewhere or may not be written.
nanobind::object numpy_over(nanobind::handle tensor, const char* operation, const char* argument);

}  // namespace tasuki::python
