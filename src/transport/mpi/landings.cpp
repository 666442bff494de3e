#include "transport/mpi/landings.hpp"

#include <algorithm>
#include <cstdint>

#include "transport/mpi/frame.hpp"
#include "transport/mpi/library.hpp"

namespace tasuki::transport::mpi {
namespace {

constexpr const char* receiving = "receiving into a landing over MPI";

bool overlap(const Landings::Landing& one, const Landings::Landing& other) {
  const auto begin = [](const Landings::Landing& landing) {
    return reinterpret_cast<std::uintptr_t>(landing.destination.data());
  };
  return begin(one) < begin(other) + other.destination.size() &&
         begin(other) < begin(one) + one.destination.size();
}

}  // namespace

Landings::Landings(const Functions& functions, void* communicator)
    : functions_(functions), communicator_(communicator) {
  landings_.reserve(test_any_most);
  requests_.reserve(test_any_most);
}

int Landings::open(const Landing& landing) {
  if (landings_.size() == test_any_most || landing.destination.size() > piece_most_bytes ||
      std::any_of(landings_.begin(), landings_.end(),
                  [&](const Landing& other) { return overlap(landing, other); })) {
    return Transport::no_landing;
  }
  landings_.push_back(landing);
  requests_.emplace_back();
  post(landings_.size() - 1);
  return static_cast<int>(landings_.size() - 1);
}

void Landings::post(std::size_t number) {
  const Landing& landing = landings_[number];
  const int failure = functions_.receive(
      communicator_, landing.destination.data(), landing.destination.size(), landing.source,
      first_landing_tag + static_cast<int>(number), &requests_[number]);
  check(functions_, failure, receiving);
}

const Landings::Landing* Landings::take() {
  int number = -1;
  bool is_done = false;
  check(functions_,
        functions_.test_any(requests_.data(), static_cast<int>(requests_.size()), &number, &is_done,
                            nullptr),
        receiving);
  return is_done ? &finish(static_cast<std::size_t>(number)) : nullptr;
}

const Landings::Landing& Landings::finish(std::size_t number) {
  post(number);
  return landings_[number];
}

void Landings::close() {
  for (Request& request : requests_)
    check(functions_, functions_.cancel_receive(&request), receiving);
  landings_.clear();
  requests_.clear();
}

}  // namespace tasuki::transport::mpi
