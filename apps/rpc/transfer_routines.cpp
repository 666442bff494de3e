// Routines that compute nothing, so that the time of a call is that of its data: those of
// python/tasuki/data/bench/transfer.idl, which `tasuki bench rpc` calls.
#include <tasuki/routines.hpp>
#include <tasuki/tasuki.hpp>

#include <array>

namespace {

constexpr void (*returns_at_once)(void* const*) = [](void* const*) {};
constexpr std::array<tasuki::rpc::RoutineEntry, 3> routines = {{
    {"nothing", returns_at_once},
    {"take", returns_at_once},
    {"give", returns_at_once},
}};

}  // namespace

int main(int argc, char** argv) {
  return tasuki::run(argc, argv,
                     [] { tasuki::rpc::serve_calls(tasuki::rank(), tasuki::size(), routines); });
}
