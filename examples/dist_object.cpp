// examples/dist_object.cpp
#include <tasuki/tasuki.hpp>

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    tasuki::DistObject<std::string> name("rank " + std::to_string(tasuki::rank()));
    if (tasuki::rank() == 0) {
      std::printf("%s\n", name.fetch(tasuki::size() - 1).get().c_str());
    }
    tasuki::barrier();  // nobody destroys its string while others may fetch it
  });
}
