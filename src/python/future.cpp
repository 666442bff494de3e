#include "python/future.hpp"

#include <nanobind/stl/vector.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/detail/runtime/world/thread_works.hpp>
#include <tasuki/error.hpp>
#include <tasuki/when_all.hpp>
#include <utility>
#include <vector>

namespace tasuki::python {
namespace {

namespace nb = nanobind;

/// A value that is there already.
class Value final : public Outcome {
 public:
  explicit Value(nb::object value) : value_(value.release().ptr()) {}
  nb::object take() override { return nb::steal(value_.release()); }

 private:
  Reference value_;
};

nb::object value_of(const AnyOutcome& outcome) { return outcome ? outcome->take() : nb::none(); }

using Waited = std::vector<Future<AnyOutcome>>;

/// Takes the futures over from their holders.
Waited released(const std::vector<PythonFuture*>& futures) {
  Waited all;
  for (PythonFuture* const future : futures) {
    if (!future->valid()) runtime::throw_empty_future();
    all.push_back(future->release());
  }
  return all;
}

PythonFuture when_all(const std::vector<PythonFuture*>& futures) {
  Waited all = released(futures);
  const Released released_interpreter;
  return PythonFuture(
      tasuki::when_all(std::move(all)).then([](const std::vector<AnyOutcome>& outcomes) {
        const Attached attached;
        nb::list values;
        for (const AnyOutcome& outcome : outcomes) values.append(value_of(outcome));
        return AnyOutcome(std::make_unique<Value>(nb::tuple(values)));
      }));
}

PythonFuture when_any(const std::vector<PythonFuture*>& futures) {
  std::vector<runtime::FutureCore*> states;
  for (PythonFuture* const future : futures) {
    if (!future->valid()) runtime::throw_empty_future();
    states.push_back(future->state());
  }
  const Released released_interpreter;
  return PythonFuture(runtime::first_done(states).then([](std::size_t index) -> AnyOutcome {
    const Attached attached;
    return std::make_unique<Value>(nb::int_(index));
  }));
}

/// A future that another thread has dropped, on its way to the rank's thread.
class Dropped final : public runtime::ThreadWork {
 public:
  explicit Dropped(Future<AnyOutcome> future) : future_(std::move(future)) {}
  void begin() override {}

 private:
  Future<AnyOutcome> future_;
};

}  // namespace

PythonFuture::~PythonFuture() {
  if (!future_.valid() || runtime::Rank::current_or_null() != nullptr) return;
  try {
    runtime::ThreadWorks::hand_over(std::make_unique<Dropped>(std::move(future_)));
  } catch (const error&) {  // NOLINT(bugprone-empty-catch): no rank runs, so nobody else has it.
  }
}

void PythonFuture::wait() const {
  if (!future_.valid()) runtime::throw_empty_future();
  if (future_.ready()) return;
  const Released released;
  future_.wait();
}

bool PythonFuture::wait_for(double limit_s) const {
  if (!future_.valid()) runtime::throw_empty_future();
  if (future_.ready()) return true;
  const Released released;
  const std::int64_t limit_ns = runtime::saturated_ns(std::chrono::duration<double>(limit_s));
  return state()->wait_until(runtime::deadline_after_ns(limit_ns));
}

nb::object PythonFuture::get() {
  wait();
  return value_of(future_.get());
}

PythonFuture PythonFuture::then(nb::callable function) {
  if (!future_.valid()) runtime::throw_empty_future();
  Future<AnyOutcome> source = std::move(future_);
  const Released released;
  return PythonFuture(std::move(source).then(
      [called = Reference(function.release().ptr())](AnyOutcome outcome) -> AnyOutcome {
        const Attached attached;
        return std::make_unique<Value>(nb::handle(called.get())(value_of(outcome)));
      }));
}

void bind_futures(nb::module_& module) {
  nb::class_<PythonFuture>(module, "Future", nb::is_generic())
      .def("ready", &PythonFuture::ready)
      .def("valid", &PythonFuture::valid)
      .def("wait", &PythonFuture::wait)
      .def("wait_for", &PythonFuture::wait_for, nb::arg("limit_s"))
      .def("get", &PythonFuture::get)
      .def("then", &PythonFuture::then, nb::arg("function"));
  module.def("when_all", &when_all, nb::arg("futures"));
  module.def("when_any", &when_any, nb::arg("futures"));
}

}  // namespace tasuki::python
