// scale_tasuki: what ranks of Tasuki cost. Prints one JSON object on rank 0.
#include <span>
#include <tasuki/tasuki.hpp>
#include <vector>

#include "common/tasuki_program.hpp"
#include "scale.hpp"

int main(int argc, char** argv) {
  using namespace tasuki;
  namespace scale = bench::scale;
  return apps::run_on_every_rank(argc, argv, scale::parse, [](const scale::Options& options) {
    const scale::Found found = scale::measure(options, [] { barrier(); });
    std::vector<scale::Found> all(static_cast<std::size_t>(rank() == 0 ? size() : 0));
    gather(std::span(&found, 1), std::span(all), 0);
    if (rank() == 0) scale::print(options, all);
    return 0;
  });
}
