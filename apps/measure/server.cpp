#include "measure/server.hpp"

#include <cstdio>
#include <iostream>
#include <string>

namespace tasuki::measure {
namespace {

/// Rank 0 reads a line for all. Returns: false at the end of the requests.
bool next_line(int rank, const Broadcast& broadcast, std::string& line) {
  std::size_t bytes = 0;
  if (rank == 0 && std::getline(std::cin, line)) bytes = line.size() + 1;
  broadcast(std::as_writable_bytes(std::span(&bytes, 1)));
  if (bytes == 0) return false;
  line.resize(bytes - 1);
  broadcast(std::as_writable_bytes(std::span(line)));
  return true;
}

}  // namespace

void serve(int rank, const Broadcast& broadcast, const AnswerRequest& answer) {
  for (std::string line; next_line(rank, broadcast, line);) {
    const Request request = parse_request(line);
    if (request.command == "end") return;
    const apps::Json found = answer(request);
    if (rank != 0) continue;
    std::puts(apps::to_line(found).c_str());
    std::fflush(stdout);
  }
}

}  // namespace tasuki::measure
