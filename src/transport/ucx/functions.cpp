#include "transport/ucx/functions.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <tasuki/error.hpp>

namespace tasuki::transport::ucx {
namespace {

constexpr const char* loading = "loading UCX";
constexpr const char* install = "install it, as with: apt install libucx0";

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function != nullptr) return;
  throw error(loading, fmt::format("it has no function {}", name),
              "install UCX 1.13 or newer, as with: apt install libucx0");
}

Functions load() {
  // Else UCX prints what it has to say among what the program prints.
  ::setenv("UCX_LOG_FILE", "stderr", 0);
  // libucp brings libucs along.
  void* const library = ::dlopen("libucp.so.0", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw error(loading, ::dlerror(), install);
  Functions found{};
  find(library, "ucp_config_read", found.config_read);
  find(library, "ucp_config_modify", found.config_modify);
  find(library, "ucp_config_release", found.config_release);
  find(library, "ucp_init_version", found.init_version);
  find(library, "ucp_cleanup", found.cleanup);
  find(library, "ucp_context_print_info", found.context_print_info);
  find(library, "ucp_worker_create", found.worker_create);
  find(library, "ucp_worker_destroy", found.worker_destroy);
  find(library, "ucp_worker_query", found.worker_query);
  find(library, "ucp_worker_get_address", found.worker_get_address);
  find(library, "ucp_worker_release_address", found.worker_release_address);
  find(library, "ucp_worker_set_am_recv_handler", found.worker_set_am_recv_handler);
  find(library, "ucp_worker_progress", found.worker_progress);
  find(library, "ucp_worker_flush_nbx", found.worker_flush_nbx);
  find(library, "ucp_ep_create", found.ep_create);
  find(library, "ucp_ep_close_nbx", found.ep_close_nbx);
  find(library, "ucp_ep_flush_nbx", found.ep_flush_nbx);
  find(library, "ucp_ep_print_info", found.ep_print_info);
  find(library, "ucp_am_send_nbx", found.am_send_nbx);
  find(library, "ucp_am_recv_data_nbx", found.am_recv_data_nbx);
  find(library, "ucp_am_data_release", found.am_data_release);
  find(library, "ucp_tag_send_nbx", found.tag_send_nbx);
  find(library, "ucp_tag_recv_nbx", found.tag_recv_nbx);
  find(library, "ucp_request_cancel", found.request_cancel);
  find(library, "ucp_request_check_status", found.request_check_status);
  find(library, "ucp_request_free", found.request_free);
  find(library, "ucp_get_version_string", found.get_version_string);
  find(library, "ucs_status_string", found.status_string);
  return found;
}

}  // namespace

const Functions& functions() {
  static const Functions found = load();
  return found;
}

std::string unavailable_because() {
  try {
    functions();
    return "";
  } catch (const error& why) {
    return fmt::format("{}; {}", why.happened(), why.remedy());
  }
}

void check(ucs_status_t status, const char* operation) {
  if (status == UCS_OK) return;
  throw error(operation, fmt::format("UCX reports: {}", functions().status_string(status)),
              "see what UCX has printed before; UCX_LOG_LEVEL=info says more");
}

std::string printed(const std::function<void(std::FILE*)>& print) {
  char* text = nullptr;
  std::size_t bytes = 0;
  std::FILE* const file = ::open_memstream(&text, &bytes);
  if (file == nullptr) throw std::bad_alloc();
  print(file);
  std::fclose(file);
  const std::unique_ptr<char, void (*)(void*)> owned(text, &std::free);
  return {text, bytes};
}

}  // namespace tasuki::transport::ucx
