#include "rpc/sessions/routine_call.hpp"

#include <memory>
#include <utility>

namespace tasuki::rpc {

RoutineCall::RoutineCall(ClientPool::Taken client, const FoundRoutine& found,
                         CallArguments arguments)
    : client_(std::move(client)),
      module_(found.module.name),
      routine_(found.routine.name),
      arguments_(std::move(arguments)) {}

void RoutineCall::operator()() const {
  try {
    const CallReport report = client_->call(module_, routine_, arguments_.scalars,
                                            arguments_.arrays, "", arguments_.functions);
    write_texts(arguments_.texts, report.texts);
  } catch (const CallFault& fault) {
    if (client_->is_connected() || fault.kind() == cancelled_kind) throw;
    throw ConnectionLost(fault);
  }
}

SessionWork RoutineCall::in_session(RoutineCall call) {
  const auto shared = std::make_shared<RoutineCall>(std::move(call));
  return {[shared] { (*shared)(); }, [shared] { shared->client_->end(); }};
}

}  // namespace tasuki::rpc
