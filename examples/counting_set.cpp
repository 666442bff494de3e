// examples/counting_set.cpp
#include <tasuki/containers/counting_set.hpp>
#include <tasuki/tasuki.hpp>

#include <cinttypes>
#include <cstdio>
#include <sstream>
#include <string>

// Each rank counts the words of its own lines; each word is counted by the rank that owns it.
int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    const char* const lines[] = {"the runner hands the sash to the next",
                                 "the next hands the sash to the last", "the last runs home"};
    tasuki::CountingSet<std::string> words;
    for (int line = tasuki::rank(); line < 3; line += tasuki::size()) {
      std::istringstream text(lines[line]);
      for (std::string word; text >> word;) words.async_insert(word);
    }
    const std::size_t different = words.size();
    const std::uint64_t all = words.total();
    const auto [word, count] = words.top_k(1).front();
    if (tasuki::rank() == 0) {
      std::printf("%zu different words of %" PRIu64 ", \"%s\" %" PRIu64 " times\n", different, all,
                  word.c_str(), count);
    }
  });
}
