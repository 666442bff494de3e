#include <tasuki/predict.hpp>

struct Request {
  int row;
  bool is_last;
};

int speculated(const Request& request) {
  return tasuki::predict::speculate([](const Request& of) { return of.is_last ? 0 : of.row; },
                                    request);
}
