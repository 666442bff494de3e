#include "python/memory.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <tasuki/detail/runtime/memory/rma.hpp>
#include <tasuki/global_ptr.hpp>
#include <tasuki/heap.hpp>
#include <utility>

#include "python/elements.hpp"
#include "python/future.hpp"
#include "python/thread_state.hpp"

namespace tasuki::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

/// Holds any element, and rows of them are quick to copy.
constexpr std::size_t alignment = 64;

std::span<std::byte> bytes_of(const Elements& elements) {
  return {elements.data(), elements.count() * elements.element_bytes()};
}

/// Returns: the address of zeros.
std::uintptr_t allocate(std::size_t bytes) {
  const Released released;
  void* const memory = runtime::heap_allocate(bytes, alignment, bytes);
  std::memset(memory, 0, bytes);
  return reinterpret_cast<std::uintptr_t>(memory);
}

void free(std::uintptr_t address) {
  const Released released;
  runtime::heap_free(reinterpret_cast<void*>(address));
}

/// The memory of this rank itself.
nb::object memory_at(std::uintptr_t address, std::size_t bytes) {
  return nb::steal(PyMemoryView_FromMemory(reinterpret_cast<char*>(address),
                                           static_cast<Py_ssize_t>(bytes), PyBUF_WRITE));
}

void nread(int rank, std::uintptr_t address, nb::handle into) {
  const Elements elements(into.ptr(), Elements::Access::write, "remote read", "the array");
  const Released released;
  runtime::get({rank, address}, bytes_of(elements));
}

PythonFuture nread_async(int rank, std::uintptr_t address, nb::handle into) {
  Elements elements(into.ptr(), Elements::Access::write, "remote read", "the array");
  const Released released;
  Future<void> read =
      runtime::get_async(runtime::Rank::current(), {rank, address}, bytes_of(elements));
  return future_holding(std::move(read), std::move(elements));
}

void nwrite(int rank, std::uintptr_t address, nb::handle from) {
  const Elements elements(from.ptr(), Elements::Access::read, "remote write", "the array");
  const Released released;
  runtime::put({rank, address}, bytes_of(elements));
}

PythonFuture nwrite_async(int rank, std::uintptr_t address, nb::handle from) {
  Elements elements(from.ptr(), Elements::Access::read, "remote write", "the array");
  const Released released;
  Future<void> written =
      runtime::put_async(runtime::Rank::current(), {rank, address}, bytes_of(elements));
  return future_holding(std::move(written), std::move(elements));
}

template <class T>
T fetch_add(int rank, std::uintptr_t address, T increment) {
  const Released released;
  return GlobalPtr<T>(rank, reinterpret_cast<T*>(address)).fetch_add(increment);
}

}  // namespace

void bind_memory(nb::module_& module) {
  module.def("allocate", &allocate, "bytes"_a);
  module.def("free", &free, "address"_a);
  module.def("memory_at", &memory_at, "address"_a, "bytes"_a);
  module.def("nread", &nread, "rank"_a, "address"_a, "into"_a);
  module.def("nread_async", &nread_async, "rank"_a, "address"_a, "into"_a);
  module.def("nwrite", &nwrite, "rank"_a, "address"_a, "source"_a);
  module.def("nwrite_async", &nwrite_async, "rank"_a, "address"_a, "source"_a);
  module.def("fetch_add_int32", &fetch_add<std::int32_t>, "rank"_a, "address"_a, "increment"_a);
  module.def("fetch_add_int64", &fetch_add<std::int64_t>, "rank"_a, "address"_a, "increment"_a);
  module.def("fetch_add_float32", &fetch_add<float>, "rank"_a, "address"_a, "increment"_a);
  module.def("fetch_add_float64", &fetch_add<double>, "rank"_a, "address"_a, "increment"_a);
  module.def("fence", [] {
    const Released released;
    fence();
  });
}

}  // namespace tasuki::python
