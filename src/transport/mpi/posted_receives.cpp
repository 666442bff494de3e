#include "transport/mpi/posted_receives.hpp"

#include <algorithm>
#include <cstdint>

#include "transport/mpi/frame.hpp"
#include "transport/mpi/library.hpp"

namespace tasuki::transport::mpi {
namespace {

constexpr const char* receiving = "receiving into a posted_receive over MPI";

bool overlap(const PostedReceives::PostedReceive& one, const PostedReceives::PostedReceive& other) {
  const auto begin = [](const PostedReceives::PostedReceive& posted_receive) {
    return reinterpret_cast<std::uintptr_t>(posted_receive.destination.data());
  };
  return begin(one) < begin(other) + other.destination.size() &&
         begin(other) < begin(one) + one.destination.size();
}

}  // namespace

PostedReceives::PostedReceives(const Functions& functions, void* communicator)
    : functions_(functions), communicator_(communicator) {
  posted_receives_.reserve(test_any_most);
  requests_.reserve(test_any_most);
}

int PostedReceives::open(const PostedReceive& posted_receive) {
  const auto free = std::find_if(posted_receives_.begin(), posted_receives_.end(),
                                 [](const PostedReceive& one) { return one.is_free(); });
  const auto number = static_cast<std::size_t>(free - posted_receives_.begin());
  if (number == test_any_most || posted_receive.destination.size() > piece_most_bytes ||
      std::any_of(posted_receives_.begin(), posted_receives_.end(),
                  [&](const PostedReceive& other) { return overlap(posted_receive, other); })) {
    return Lane::no_posted_receive;
  }
  if (free == posted_receives_.end()) {
    posted_receives_.emplace_back();
    requests_.emplace_back();
  }
  posted_receives_[number] = posted_receive;
  post(number);
  return static_cast<int>(number);
}

void PostedReceives::post_again(std::size_t number, std::byte* destination) {
  PostedReceive& posted_receive = posted_receives_[number];
  posted_receive.destination = {destination, posted_receive.destination.size()};
  post(number);
}

void PostedReceives::take_back(std::size_t number) {
  check(functions_, functions_.cancel_receive(&requests_[number]), receiving);
  posted_receives_[number] = {};
}

void PostedReceives::post(std::size_t number) {
  const PostedReceive& posted_receive = posted_receives_[number];
  const int failure = functions_.receive(
      communicator_, posted_receive.destination.data(), posted_receive.destination.size(),
      posted_receive.source, first_posted_tag + static_cast<int>(number), &requests_[number]);
  check(functions_, failure, receiving);
}

const PostedReceives::PostedReceive* PostedReceives::take() {
  int number = -1;
  bool is_done = false;
  check(functions_,
        functions_.test_any(requests_.data(), static_cast<int>(requests_.size()), &number, &is_done,
                            nullptr),
        receiving);
  return is_done ? &finish(static_cast<std::size_t>(number)) : nullptr;
}

const PostedReceives::PostedReceive& PostedReceives::finish(std::size_t number) {
  if (!posted_receives_[number].is_single) post(number);
  return posted_receives_[number];
}

void PostedReceives::close() {
  for (Request& request : requests_)
    check(functions_, functions_.cancel_receive(&request), receiving);
  posted_receives_.clear();
  requests_.clear();
}

}  // namespace tasuki::transport::mpi
