// examples/policy.cpp
#include <tasuki/policy.hpp>
#include <tasuki/tasuki.hpp>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    namespace coll = tasuki::coll;
    std::vector<coll::PolicyRow> rows = {{coll::Collective::allreduce, coll::any_ranks,
                                          coll::any_bytes, "ring", "", "this program's wish"}};
    const auto general = coll::default_policy().rows();
    rows.insert(rows.end(), general.begin(), general.end());
    tasuki::set_policy(coll::Policy(rows));
    const int sum = tasuki::allreduce(tasuki::rank() + 1, tasuki::Sum{});
    if (tasuki::rank() == 0) std::printf("%d\n", sum);
  });
}
