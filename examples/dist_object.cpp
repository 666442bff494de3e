// examples/dist_object.cpp
#include <tasuki/tasuki.hpp>

#include <cstdio>
#include <string>
#include <unordered_map>

// A count of words, each on the rank that its hash says. The class has one instance on each rank.
class WordCount : public tasuki::DistObject<std::unordered_map<std::string, int>> {
 public:
  void add(const std::string& word) {
    tasuki::post(
        owner(word), [](WordCount& there, const std::string& added) { ++(*there)[added]; }, *this,
        word);
  }
  int count(const std::string& word) {
    return tasuki::invoke(
        owner(word), [](WordCount& there, const std::string& asked) { return (*there)[asked]; },
        *this, word);
  }

 private:
  static int owner(const std::string& word) {
    return static_cast<int>(std::hash<std::string>()(word) %
                            static_cast<std::size_t>(tasuki::size()));
  }
};

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    tasuki::DistObject<std::string> name("rank " + std::to_string(tasuki::rank()));
    if (tasuki::rank() == 0) {
      std::printf("%s\n", name.fetch(tasuki::size() - 1).get().c_str());
    }

    WordCount words;
    for (const char* word : {"tie", "the", "tie"}) words.add(word);
    tasuki::quiesce();
    if (tasuki::rank() == 0) std::printf("tie: %d\n", words.count("tie"));
    tasuki::barrier();  // nobody destroys its part while others may ask for it
  });
}
