#include <fmt/format.h>

#include <cstdlib>
#include <tasuki/detail/base/exit_code.hpp>
#include <tasuki/detail/runtime/waiting/job_end.hpp>
#include <tasuki/error.hpp>

namespace tasuki::runtime {

void end_job(transport::Transport& transport, int exit_code) noexcept {
  transport.abort_job(exit_code);
  std::abort();  // not reached; compilers do not see that a virtual function does not return
}

void end_job_by_exception(transport::Transport& transport) noexcept {
  try {
    throw;
  } catch (const error& e) {
    base::report(e.what());
  } catch (const std::exception& e) {
    base::report(fmt::format("the program threw: {}. Remedy: catch it in the program", e.what()));
  } catch (...) {
    base::report("the program threw something that is no std::exception. Remedy: catch it there");
  }
  end_job(transport, base::exit_code::failed);
}

}  // namespace tasuki::runtime
