#include "python/calls.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <tasuki/call.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/named.hpp>
#include <tasuki/run.hpp>
#include <utility>
#include <vector>

#include <nanobind/stl/string.h>

#include "python/bytes.hpp"
#include "python/future.hpp"
#include "python/thread_state.hpp"

namespace tasuki::python {
namespace {

namespace nb = nanobind;

using Payload = std::vector<std::byte>;

/// The functions of calls.py that know what the bytes mean.
struct Handlers {
  nb::callable serve;          ///< A pickled call -> the pickled outcome.
  nb::callable serve_one_way;  ///< A pickled call -> None, or name and text of its failure.
  nb::callable value;          ///< A pickled outcome -> the value, or it is raised.
};
/// Never destroyed: the interpreter ends before.
Handlers& handlers() {
  static auto* const all = new Handlers;
  return *all;
}

Payload serve(Payload call) {
  const Attached attached;
  return copied(handlers().serve(view_of(call)));
}

void serve_one_way(Payload call) {
  const Attached attached;
  const nb::object failure = handlers().serve_one_way(view_of(call));
  if (failure.is_none()) return;
  const auto text_at = [&](int index) { return std::string(nb::str(failure[index]).c_str()); };
  throw remote_error(rank(), text_at(0), text_at(1));
}

/// The answer to a call, unpickled when it is asked for.
class Answer final : public Outcome {
 public:
  explicit Answer(Payload bytes) : bytes_(std::move(bytes)) {}
  nb::object take() override { return handlers().value(view_of(bytes_)); }

 private:
  Payload bytes_;
};

PythonFuture ainvoke_pickled(const std::string& operation, int rank, const nb::bytes& call,
                             const std::string& name) {
  runtime::Rank::current().check_rank(rank, operation.c_str());
  Payload payload = copied(call);
  const Released released;
  Future<Payload> answer = ainvoke(rank, &serve, std::move(payload));
  fiber::WaitReason reason = answer.internal_state()->reason();
  reason.object = runtime::kept_name(name);
  PythonFuture future(std::move(answer).then(
      [](Payload bytes) { return AnyOutcome(std::make_unique<Answer>(std::move(bytes))); }));
  future.set_reason(reason);
  return future;
}

/// The function that the running call is of, for what is said of its waits.
void name_served(const std::string& name) {
  runtime::Waits& waits = runtime::Waits::current();
  fiber::Activity activity = waits.activity();
  activity.label = runtime::kept_name(name);
  waits.set_activity(activity);
}

void post_pickled(int rank, const nb::bytes& call) {
  Payload payload = copied(call);
  const Released released;
  post(rank, &serve_one_way, std::move(payload));
}

}  // namespace

void bind_calls(nb::module_& module) {
  module.def(
      "set_handlers",
      [](nb::callable serve, nb::callable serve_one_way, nb::callable value) {
        handlers() = {std::move(serve), std::move(serve_one_way), std::move(value)};
      },
      nb::arg("serve"), nb::arg("serve_one_way"), nb::arg("value"));
  module.def("ainvoke_pickled", &ainvoke_pickled, nb::arg("operation"), nb::arg("rank"),
             nb::arg("call"), nb::arg("name"));
  module.def("name_served", &name_served, nb::arg("name"));
  module.def("post_pickled", &post_pickled, nb::arg("rank"), nb::arg("call"));
}

}  // namespace tasuki::python
