#include "rpc/sessions/routine_call.hpp"

#include <memory>
#include <utility>

namespace tasuki::rpc {

RoutineCall::RoutineCall(ClientPool::Taken client, const FoundRoutine& found,
                         CallArguments arguments, std::string object)
    : client_(std::move(client)),
      module_(found.module.name),
      routine_(found.routine.name),
      arguments_(std::move(arguments)),
      object_(std::move(object)) {}

CallReport RoutineCall::operator()() const {
  try {
    CallReport report = client_->call(module_, routine_, arguments_.scalars, arguments_.arrays,
                                      object_, arguments_.functions);
    write_texts(arguments_.texts, report.texts);
    return report;
  } catch (const CallFault& fault) {
    if (client_->is_connected() || fault.kind() == cancelled_kind) throw;
    throw ConnectionLost(fault);
  }
}

SessionWork RoutineCall::in_session(RoutineCall call,
                                    std::function<void(int session, CallReport report)> keep) {
  const auto shared = std::make_shared<RoutineCall>(std::move(call));
  const auto run = [shared, keep = std::move(keep)](int session) {
    CallReport report = (*shared)();
    if (keep) keep(session, std::move(report));
  };
  return {run, [shared] { shared->client_->end(); }};
}

}  // namespace tasuki::rpc
