// examples/own_types.cpp
#include <tasuki/tasuki.hpp>

#include <cstdio>
#include <map>
#include <string>

struct Point {  // trivially copyable: travels as it is
  double x, y;
};

struct Shape {  // anything else says how, in cereal's way
  std::string name;
  std::map<int, std::string> labels;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, labels);
  }
};

std::string describe(const Shape& shape, Point at) {
  return shape.name + " with " + std::to_string(shape.labels.size()) + " labels at " +
         std::to_string(static_cast<int>(at.x));
}

int main(int argc, char** argv) {
  return tasuki::run_master(argc, argv, [] {
    const Shape shape{"square", {{1, "a"}, {2, "b"}}};
    std::printf("%s\n", tasuki::invoke(tasuki::size() - 1, describe, shape, Point{3, 4}).c_str());
  });
}
