#include "measure/server.hpp"

#include <cstdio>
#include <iostream>

namespace tasuki::measure {
namespace {

/// Rank 0 reads a line for all. Returns: false at the end of the requests.
bool next_line(int rank, const Broadcast& broadcast, std::string& line) {
  std::size_t bytes = 0;
  if (rank == 0 && std::getline(std::cin, line) && line != "end") bytes = line.size() + 1;
  broadcast(std::as_writable_bytes(std::span(&bytes, 1)));
  if (bytes == 0) return false;
  line.resize(bytes - 1);
  broadcast(std::as_writable_bytes(std::span(line)));
  return true;
}

}  // namespace

void serve(int rank, const Broadcast& broadcast, const AnswerLine& answer) {
  for (std::string line; next_line(rank, broadcast, line);) {
    const std::string text = answer(line);
    if (rank != 0) continue;
    std::puts(text.c_str());
    std::fflush(stdout);
  }
}

}  // namespace tasuki::measure
