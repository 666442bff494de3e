#include "transport/ucx/worker.hpp"

#include "transport/ucx/tcp_settings.hpp"

namespace tasuki::transport::ucx {

Worker::Worker(std::size_t rank_count, const char* devices)
    : functions_(functions()), context_(rank_count, devices) {
  ucp_worker_params_t parameters{};
  parameters.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE | UCP_WORKER_PARAM_FIELD_AM_ALIGNMENT;
  parameters.thread_mode = UCS_THREAD_MODE_SINGLE;
  parameters.am_alignment = 8;  // Of arrivals, as Arrivals promises.
  const TcpSettings settings(context_.ways(), rank_count);
  check(functions_.worker_create(context_.get(), &parameters, &worker_), starting);
}

Worker::~Worker() { functions_.worker_destroy(worker_); }

std::vector<std::byte> Worker::address() const {
  ucp_address_t* address = nullptr;
  std::size_t bytes = 0;
  check(functions_.worker_get_address(worker_, &address, &bytes), starting);
  const auto* const begin = reinterpret_cast<const std::byte*>(address);
  std::vector<std::byte> copied(begin, begin + bytes);
  functions_.worker_release_address(worker_, address);
  return copied;
}

void Worker::handle_active_messages(unsigned id, ucp_am_recv_callback_t handler, void* argument) {
  ucp_am_handler_param_t parameters{};
  parameters.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_FLAGS |
                          UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_ARG;
  parameters.id = id;
  parameters.flags = UCP_AM_FLAG_WHOLE_MSG | UCP_AM_FLAG_PERSISTENT_DATA;
  parameters.cb = handler;
  parameters.arg = argument;
  check(functions_.worker_set_am_recv_handler(worker_, &parameters), starting);
}

ucs_status_t Worker::finish(ucs_status_ptr_t request) const {
  if (!UCS_PTR_IS_PTR(request)) return UCS_PTR_STATUS(request);
  ucs_status_t status = UCS_INPROGRESS;
  while (status == UCS_INPROGRESS) {
    progress();
    status = functions_.request_check_status(request);
  }
  functions_.request_free(request);
  return status;
}

}  // namespace tasuki::transport::ucx
