#include <tasuki/predict.hpp>

struct Request {
  int row;
  bool is_last;
};

int value_of(const Request& request) { return request.is_last ? 0 : request.row; }

int main() {
  return tasuki::predict::speculate(value_of, Request{1, true});  // refused
}
