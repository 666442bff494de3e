#include "python/elements.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <tasuki/detail/base/element_name.hpp>
#include <tasuki/error.hpp>
#include <tasuki/operators.hpp>
#include <utility>
#include <vector>

namespace tasuki::python {
namespace {

namespace nb = nanobind;

constexpr ElementKind by_size(std::size_t bytes, ElementKind of_one_byte) {
  if (!std::has_single_bit(bytes) || bytes > 8) return ElementKind::other;
  const int step = std::countr_zero(bytes);
  return static_cast<ElementKind>(static_cast<int>(of_one_byte) + step);
}
static_assert(by_size(8, ElementKind::int8) == ElementKind::int64);
static_assert(by_size(2, ElementKind::uint8) == ElementKind::uint16);

/// Requires: real numbers, and no booleans.
constexpr base::ElementType type_of(ElementKind kind) {
  return static_cast<base::ElementType>(static_cast<int>(kind) -
                                        static_cast<int>(ElementKind::int8) +
                                        static_cast<int>(base::ElementType::int8));
}
static_assert(type_of(ElementKind::uint8) == base::ElementType::uint8);
static_assert(type_of(ElementKind::float64) == base::ElementType::float64);

constexpr ElementKind of_number(std::size_t bytes) {
  if (bytes == 4) return ElementKind::float32;
  return bytes == 8 ? ElementKind::float64 : ElementKind::other;
}

constexpr ElementKind of_complex(std::size_t bytes) {
  if (bytes == 8) return ElementKind::complex64;
  return bytes == 16 ? ElementKind::complex128 : ElementKind::other;
}

/// By the format of Python's module struct; other byte orders than this machine's are `other`.
ElementKind kind_of(const char* format, std::size_t bytes) noexcept {
  if (format == nullptr) return ElementKind::uint8;
  constexpr char other_order = std::endian::native == std::endian::little ? '>' : '<';
  if (*format == '@' || *format == '=' || (*format == '<' && other_order == '>')) ++format;
  const bool is_complex = *format == 'Z';
  if (is_complex) ++format;
  if (*format == '\0' || format[1] != '\0') return ElementKind::other;
  if (*format == '?') return ElementKind::boolean;
  if (std::strchr("bhilqn", *format) != nullptr) return by_size(bytes, ElementKind::int8);
  if (std::strchr("BHILQN", *format) != nullptr) return by_size(bytes, ElementKind::uint8);
  if (std::strchr("fd", *format) == nullptr) return ElementKind::other;
  return is_complex ? of_complex(bytes) : of_number(bytes);
}

/// Of the values, for records with the fields and the places of tasuki::Located.
ElementKind located_kind_of(const char* format, std::size_t bytes) noexcept {
  constexpr std::string_view begin = "T{";
  constexpr std::string_view value_name = ":value:";
  std::string_view text = format == nullptr ? "" : format;
  if (bytes != sizeof(Located<double>) || !text.starts_with(begin)) return ElementKind::other;
  text.remove_prefix(begin.size());
  const std::size_t name_at = text.find(value_name);
  if (name_at != 1) return ElementKind::other;
  const char value_format[] = {text.front(), '\0'};
  text.remove_prefix(name_at + value_name.size());
  const std::size_t padding_bytes = std::min(text.find_first_not_of('x'), text.size());
  text.remove_prefix(padding_bytes);
  if (padding_bytes >= 8 || (text != "l:location:}" && text != "q:location:}")) {
    return ElementKind::other;
  }
  return kind_of(value_format, 8 - padding_bytes);
}

ElementKind kind_of(nb::dlpack::dtype type) noexcept {
  if (type.lanes != 1) return ElementKind::other;
  const std::size_t bytes = type.bits / 8U;
  switch (static_cast<nb::dlpack::dtype_code>(type.code)) {
    case nb::dlpack::dtype_code::Int:
      return by_size(bytes, ElementKind::int8);
    case nb::dlpack::dtype_code::UInt:
      return by_size(bytes, ElementKind::uint8);
    case nb::dlpack::dtype_code::Float:
      return of_number(bytes);
    case nb::dlpack::dtype_code::Complex:
      return of_complex(bytes);
    case nb::dlpack::dtype_code::Bool:
      return ElementKind::boolean;
    default:
      return ElementKind::other;
  }
}

/// Why the buffer protocol did not give what was asked for; an exception of Python is set.
[[noreturn]] void throw_refused(PyObject* array, const char* operation, const char* argument) {
  PyErr_Clear();
  Py_buffer view{};
  if (PyObject_GetBuffer(array, &view, PyBUF_FULL_RO) != 0) {
    const nb::python_error why;
    throw error(operation, fmt::format("{} cannot be read: {}", argument, why.what()),
                "pass a NumPy array or another object with the buffer protocol");
  }
  const bool is_contiguous = PyBuffer_IsContiguous(&view, 'C') != 0;
  PyBuffer_Release(&view);
  if (!is_contiguous) {
    throw error(operation, fmt::format("{} is not contiguous", argument),
                "pass numpy.ascontiguousarray(array), and copy a result back from it");
  }
  throw error(operation, fmt::format("{} may not be written", argument),
              "pass an array of one's own, such as array.copy()");
}

/// A tensor in the memory of the host, and whether it may be written.
struct Imported {
  nb::ndarray<nb::ro> tensor;
  bool may_write = false;
};

/// Returns: the tensor as its object exports it, to be written if `access` says so and it may be.
Imported import_tensor(PyObject* array, Elements::Access access, const char* operation,
                       const char* argument) {
  Imported imported;
  nb::ndarray<> writable;
  imported.may_write =
      access == Elements::Access::write && nb::try_cast(nb::handle(array), writable, false);
  if (imported.may_write) {
    imported.tensor = nb::ndarray<nb::ro>(writable);
  } else if (!nb::try_cast(nb::handle(array), imported.tensor, false)) {
    throw error(operation,
                fmt::format("{} is a {}, which is no array", argument, Py_TYPE(array)->tp_name),
                "pass a NumPy array, or another object with the buffer protocol or DLPack");
  }
  if (imported.tensor.device_type() != nb::device::cpu::value) {
    throw error(operation, fmt::format("{} does not lie in the memory of the host", argument),
                "copy it there first, as with tensor.cpu()");
  }
  return imported;
}

[[noreturn]] void throw_read_only(const char* operation, const char* argument) {
  throw error(operation, fmt::format("{} may not be written", argument), "pass a copy of it");
}

}  // namespace

const char* name_of(ElementKind kind) noexcept {
  switch (kind) {
    case ElementKind::other:
      return "a type without arithmetic here";
    case ElementKind::boolean:
      return "bool";
    case ElementKind::complex64:
      return "complex64";
    case ElementKind::complex128:
      return "complex128";
    default:
      return base::name_of(type_of(kind));
  }
}

Elements::Elements(PyObject* array, Access access, const char* operation, const char* argument) {
  if (PyObject_CheckBuffer(array) == 0) {
    take_tensor(array, access, operation, argument);
    return;
  }
  const int writable = access == Access::write ? PyBUF_WRITABLE : 0;
  if (PyObject_GetBuffer(array, &view_, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | writable) != 0) {
    throw_refused(array, operation, argument);
  }
  take_buffer();
}

void Elements::take_buffer() noexcept {
  data_ = static_cast<std::byte*>(view_.buf);
  element_bytes_ = static_cast<std::size_t>(view_.itemsize);
  count_ = element_bytes_ == 0 ? 0 : static_cast<std::size_t>(view_.len) / element_bytes_;
  kind_ = kind_of(view_.format, element_bytes_);
  if (kind_ == ElementKind::other) located_kind_ = located_kind_of(view_.format, element_bytes_);
}

void Elements::take_tensor(PyObject* array, Access access, const char* operation,
                           const char* argument) {
  auto [tensor, may_write] = import_tensor(array, access, operation, argument);
  std::int64_t stride = 1;
  for (std::size_t axis = tensor.ndim(); axis-- > 0;) {
    if (tensor.shape(axis) != 1 && tensor.stride(axis) != stride && tensor.size() != 0) {
      throw error(operation, fmt::format("{} is not contiguous", argument),
                  "pass a contiguous copy, as tensor.contiguous() makes, and copy a result back");
    }
    stride *= static_cast<std::int64_t>(tensor.shape(axis));
  }
  if (access == Access::write && !may_write) throw_read_only(operation, argument);
  data_ = static_cast<std::byte*>(const_cast<void*>(tensor.data()));
  count_ = tensor.size();
  element_bytes_ = tensor.itemsize();
  kind_ = kind_of(tensor.dtype());
  tensor_ = std::move(tensor);
}

Elements::Elements(Elements&& other) noexcept
    : view_(std::exchange(other.view_, {})),
      tensor_(std::exchange(other.tensor_, std::nullopt)),
      data_(other.data_),
      count_(other.count_),
      element_bytes_(other.element_bytes_),
      kind_(other.kind_),
      located_kind_(other.located_kind_) {}

Elements& Elements::operator=(Elements&& other) noexcept {
  std::swap(view_, other.view_);
  std::swap(tensor_, other.tensor_);
  data_ = other.data_;
  count_ = other.count_;
  element_bytes_ = other.element_bytes_;
  kind_ = other.kind_;
  located_kind_ = other.located_kind_;
  return *this;
}

Elements::~Elements() {
  if (view_.obj == nullptr && !tensor_) return;
  const Attached attached;
  tensor_.reset();
  PyBuffer_Release(&view_);
}

nb::object numpy_over(nb::handle tensor, const char* operation, const char* argument) {
  auto [imported, may_write] =
      import_tensor(tensor.ptr(), Elements::Access::write, operation, argument);
  if (!may_write) throw_read_only(operation, argument);
  std::vector<std::size_t> shape;
  for (std::size_t axis = 0; axis < imported.ndim(); ++axis) shape.push_back(imported.shape(axis));
  const nb::capsule owner(new nb::ndarray<nb::ro>(imported), [](void* held) noexcept {
    delete static_cast<nb::ndarray<nb::ro>*>(held);
  });
  return nb::cast(nb::ndarray<nb::numpy>(const_cast<void*>(imported.data()), imported.ndim(),
                                         shape.data(), owner, imported.stride_ptr(),
                                         imported.dtype()));
}

}  // namespace tasuki::python
