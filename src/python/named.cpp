#include "python/named.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <tasuki/detail/base/element_name.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/named.hpp>
#include <tasuki/remote_error.hpp>
#include <tasuki/run.hpp>
#include <utility>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/bytes.hpp"
#include "python/future.hpp"
#include "python/thread_state.hpp"

namespace tasuki::python {
namespace {

namespace nb = nanobind;

using runtime::NamedBytes;

/// Of named.py: the bytes of a result and the name of the function -> the value.
/// Never destroyed: the interpreter ends before.
nb::callable& read_value() {
  static auto* const function = new nb::callable;
  return *function;
}

/// Of calls.py: the exception of a call that has failed, from rank, function and text.
nb::callable& remote_error_type() {
  static auto* const type = new nb::callable;
  return *type;
}

/// Runs `serve` of named.py: arguments -> the bytes of the result, or name and text of its failure.
NamedBytes run(const Reference& serve, std::span<const std::byte> arguments) {
  const Attached attached;
  const nb::object outcome = nb::handle(serve.get())(view_of(arguments));
  if (nb::isinstance<nb::bytes>(outcome)) return copied(outcome);
  const auto text_at = [&](int index) { return std::string(nb::str(outcome[index]).c_str()); };
  throw remote_error(rank(), text_at(0), text_at(1));
}

void name_function(const std::string& name, nb::callable serve) {
  runtime::name_function(
      name, [serve = Reference(serve.release().ptr())](runtime::ValueReader& arguments) {
        return run(serve, arguments.left());
      });
}

/// The answer to a call, read when it is asked for.
class NamedAnswer final : public Outcome {
 public:
  NamedAnswer(NamedBytes bytes, std::string name)
      : bytes_(std::move(bytes)), name_(std::move(name)) {}
  nb::object take() override { return read_value()(view_of(bytes_), name_); }

 private:
  NamedBytes bytes_;
  std::string name_;
};

PythonFuture ainvoke_named(const std::string& operation, int rank, const std::string& name,
                           const nb::bytes& arguments) {
  runtime::Rank::current().check_rank(rank, operation.c_str());
  const NamedBytes payload = copied(arguments);
  const Released released;
  Future<NamedBytes> answer = runtime::ainvoke_named(rank, name, payload);
  const fiber::WaitReason reason = answer.internal_state()->reason();
  PythonFuture future(std::move(answer).then([name](NamedBytes result) -> AnyOutcome {
    return std::make_unique<NamedAnswer>(std::move(result), name);
  }));
  future.set_reason(reason);
  return future;
}

void post_named(int rank, const std::string& name, const nb::bytes& arguments) {
  const NamedBytes payload = copied(arguments);
  const Released released;
  runtime::post_named(rank, name, payload);
}

void translate(const std::exception_ptr& failure, void*) {
  try {
    std::rethrow_exception(failure);
  } catch (const remote_error& e) {
    const nb::object made =
        remote_error_type()(e.remote_rank(), e.function().c_str(), e.text().c_str());
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
  }
}

}  // namespace

void bind_named(nb::module_& module) {
  runtime::call_by_name();
  nb::register_exception_translator(&translate);
  module.def(
      "set_named_handlers",
      [](nb::callable read, nb::callable remote_error) {
        read_value() = std::move(read);
        remote_error_type() = std::move(remote_error);
      },
      nb::arg("read"), nb::arg("remote_error"));
  module.def("element_names", [] {
    return std::vector<std::string>(base::element_names.begin(), base::element_names.end());
  });
  module.def("name_function", &name_function, nb::arg("name"), nb::arg("serve"));
  module.def("ainvoke_named", &ainvoke_named, nb::arg("operation"), nb::arg("rank"),
             nb::arg("name"), nb::arg("arguments"));
  module.def("post_named", &post_named, nb::arg("rank"), nb::arg("name"), nb::arg("arguments"));
}

}  // namespace tasuki::python
