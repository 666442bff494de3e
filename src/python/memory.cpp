#include "python/memory.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <tasuki/detail/runtime/memory/rma.hpp>
#include <tasuki/global_ptr.hpp>
#include <tasuki/when_all.hpp>
#include <utility>
#include <vector>

#include <nanobind/stl/vector.h>

#include "python/elements.hpp"
#include "python/future.hpp"
#include "python/thread_state.hpp"

namespace tasuki::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

using Addresses = std::vector<std::uintptr_t>;

/// Pieces of one length that lie on one rank, and side by side in an array of the caller's.
class Pieces {
 public:
  Pieces(int rank, Addresses addresses, const Elements& elements)
      : rank_(rank),
        addresses_(std::move(addresses)),
        memory_(elements.data(), elements.count() * elements.element_bytes()) {}

  /// `use(address, bytes)` for each piece.
  template <class Use>
  void for_each(Use use) const {
    const std::size_t bytes = addresses_.empty() ? 0 : memory_.size() / addresses_.size();
    for (std::size_t i = 0; i < addresses_.size(); ++i) {
      use(runtime::RemoteAddress{rank_, addresses_[i]}, memory_.subspan(i * bytes, bytes));
    }
  }
  /// The future of those that `start(rank, address, bytes)` gives.
  template <class Start>
  Future<void> futures(Start start) const {
    std::vector<Future<void>> all;
    for_each([&](runtime::RemoteAddress at, std::span<std::byte> bytes) {
      all.push_back(start(runtime::Rank::current(), at, bytes));
    });
    return all.size() == 1 ? std::move(all.front()) : when_all(std::move(all));
  }

 private:
  int rank_;
  Addresses addresses_;
  std::span<std::byte> memory_;
};

void nread(int rank, Addresses addresses, nb::handle into) {
  const Elements elements(into.ptr(), Elements::Access::write, "remote read", "the array");
  const Released released;
  Pieces(rank, std::move(addresses), elements).for_each(&runtime::get);
}

PythonFuture nread_async(int rank, Addresses addresses, nb::handle into) {
  Elements elements(into.ptr(), Elements::Access::write, "remote read", "the array");
  const Released released;
  Future<void> read = Pieces(rank, std::move(addresses), elements).futures(&runtime::get_async);
  return future_holding(std::move(read), std::move(elements));
}

void nwrite(int rank, Addresses addresses, nb::handle from) {
  const Elements elements(from.ptr(), Elements::Access::read, "remote write", "the array");
  const Released released;
  Pieces(rank, std::move(addresses), elements).for_each(&runtime::put);
}

PythonFuture nwrite_async(int rank, Addresses addresses, nb::handle from) {
  Elements elements(from.ptr(), Elements::Access::read, "remote write", "the array");
  const Released released;
  Future<void> written = Pieces(rank, std::move(addresses), elements).futures(&runtime::put_async);
  return future_holding(std::move(written), std::move(elements));
}

template <class T>
T fetch_add(int rank, std::uintptr_t address, T increment) {
  const Released released;
  return GlobalPtr<T>(rank, reinterpret_cast<T*>(address)).fetch_add(increment);
}

}  // namespace

void bind_memory(nb::module_& module) {
  module.def("nread", &nread, "rank"_a, "addresses"_a, "into"_a);
  module.def("nread_async", &nread_async, "rank"_a, "addresses"_a, "into"_a);
  module.def("nwrite", &nwrite, "rank"_a, "addresses"_a, "source"_a);
  module.def("nwrite_async", &nwrite_async, "rank"_a, "addresses"_a, "source"_a);
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
