// The functions of UCX (libucp) that the ucx transport calls, found when it is first used, so that
// programs run where there is no UCX.
//
// Used by the files of this folder. Thread-safety: any thread.
#pragma once

#include <ucp/api/ucp.h>

#include <cstdio>
#include <functional>
#include <string>

namespace tasuki::transport::ucx {

struct Functions {
  decltype(&::ucp_config_read) config_read;
  decltype(&::ucp_config_modify) config_modify;
  decltype(&::ucp_config_release) config_release;
  decltype(&::ucp_init_version) init_version;
  decltype(&::ucp_cleanup) cleanup;
  decltype(&::ucp_context_print_info) context_print_info;
  decltype(&::ucp_worker_create) worker_create;
  decltype(&::ucp_worker_destroy) worker_destroy;
  decltype(&::ucp_worker_query) worker_query;
  decltype(&::ucp_worker_get_address) worker_get_address;
  decltype(&::ucp_worker_release_address) worker_release_address;
  decltype(&::ucp_worker_set_am_recv_handler) worker_set_am_recv_handler;
  decltype(&::ucp_worker_progress) worker_progress;
  decltype(&::ucp_worker_flush_nbx) worker_flush_nbx;
  decltype(&::ucp_ep_create) ep_create;
  decltype(&::ucp_ep_close_nbx) ep_close_nbx;
  decltype(&::ucp_ep_flush_nbx) ep_flush_nbx;
  decltype(&::ucp_ep_print_info) ep_print_info;
  decltype(&::ucp_am_send_nbx) am_send_nbx;
  decltype(&::ucp_am_recv_data_nbx) am_recv_data_nbx;
  decltype(&::ucp_am_data_release) am_data_release;
  decltype(&::ucp_tag_send_nbx) tag_send_nbx;
  decltype(&::ucp_tag_recv_nbx) tag_recv_nbx;
  decltype(&::ucp_request_cancel) request_cancel;
  decltype(&::ucp_request_check_status) request_check_status;
  decltype(&::ucp_request_free) request_free;
  decltype(&::ucp_get_version_string) get_version_string;
  decltype(&::ucs_status_string) status_string;
};

/// Throws tasuki::error if there is no UCX here, or one that is too old.
const Functions& functions();

/// "" if there is a UCX here, else why not and the remedy.
std::string unavailable_because();

/// Throws tasuki::error, which says what UCX reports of `operation`, unless `status` is UCS_OK.
void check(ucs_status_t status, const char* operation);

/// What a function of UCX prints into the file that it is given.
std::string printed(const std::function<void(std::FILE*)>& print);

}  // namespace tasuki::transport::ucx
