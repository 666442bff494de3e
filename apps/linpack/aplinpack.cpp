// The routine of Ogawa et al. (1998), figure 6, for a server: python/tasuki/data/reproduce/
// aplinpack.idl.
#include <tasuki/routines.h>
#include <tasuki/tasuki.hpp>

#include <array>

#include "blocks.hpp"

namespace {

/// ap_dgefasl(a, lda, n, ipvt, b, job)
void ap_dgefasl(void* const* arguments) {
  const auto* const a = static_cast<const double*>(arguments[0]);
  const auto n = static_cast<std::int64_t>(*static_cast<const int*>(arguments[2]));
  auto* const b = static_cast<double*>(arguments[4]);
  const int job = *static_cast<const int*>(arguments[5]);
  linpack::Blocks blocks(*tasuki_layout(a), a, n);
  blocks.factor();
  blocks.solve({b, static_cast<std::size_t>(n)}, job != 0);
}

constexpr std::array<tasuki_routine, 1> routines = {{{"ap_dgefasl", ap_dgefasl}}};

}  // namespace

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    tasuki_serve_calls(tasuki::rank(), tasuki::size(), routines.data(), routines.size());
  });
}
