// NPB MG on one rank: multigrid for Poisson's equation on a periodic cube.
//
// Levels that are too coarse for each rank to have a part of them are solved by all ranks alike:
// one exchange, where the reference implementation has the ranks drop out one level after the
// other. All communication goes through an Exchange; the solver never knows which. Thread-safety:
// one per rank; its calls are collective over the ranks of the exchange.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "npb/mg/charges.hpp"
#include "npb/mg/halo.hpp"
#include "npb/mg/levels.hpp"

namespace tasuki::npb::mg {

template <Exchange E>
class Solver {
 public:
  Solver(const Problem& problem, const Layout& layout, E& exchange)
      : problem_(problem),
        layout_(layout),
        exchange_(exchange),
        halo_(layout, exchange),
        finest_(layout.finest_level()),
        box_(layout.box(finest_)),
        coarser_(layout.coarsest_divided_level(), finest_ - 1, problem.smoother, halo_,
                 [&](int level) { return layout.box(level); }),
        u_(box_),
        v_(box_),
        r_(box_),
        charges_(merged(exchange.gather(packed(find_extremes(finest_, box_))))) {
    const int divided = layout.coarsest_divided_level();
    if (divided > 1)
      whole_.emplace(1, divided, problem.smoother, WholeHalo{}, [](int level) {
        const apps::Range edge{0, std::int64_t{1} << level};
        return Box{edge, edge, edge};
      });
    restart();
  }

  /// Starts again from u = 0.
  void restart() {
    u_.clear();
    set_charges(charges_, finest_, box_, v_);
    halo_(v_);
  }

  /// Adds a charge to each rank's box, so that the result is wrong until `restart`.
  void perturb() { v_.line(1, 1)[1] += 1; }

  /// `count` V-cycles.
  void iterate(int count) {
    find_residual(u_, v_, r_);
    halo_(r_);
    for (int cycle = 0; cycle < count; ++cycle) {
      project(r_, coarser_[finest_ - 1].r);
      halo_(coarser_[finest_ - 1].r);
      auto solve = [&](Level& coarsest) { solve_coarsest(coarsest); };
      coarser_.correct(finest_ - 1, solve);
      coarser_.improve(coarser_[finest_ - 1].u, v_, r_, u_);
      find_residual(u_, v_, r_);
      halo_(r_);
    }
  }

  /// The root of the mean square of the residual. Collective.
  double norm() {
    double sum = squared_norm(r_);
    exchange_.sum(std::span(&sum, 1));
    return std::sqrt(sum / static_cast<double>(problem_.points()));
  }

 private:
  void solve_coarsest(Level& coarsest) {
    if (!whole_) return coarser_.relax(coarsest);
    const int number = layout_.coarsest_divided_level();
    Level& whole = (*whole_)[number];
    gather(coarsest.r, number, whole.r);
    auto relax = [&](Level& level) { whole_->relax(level); };
    whole_->correct(number, relax);
    take_part(whole.u, layout_.box(number), coarsest.u);
  }

  /// Brings all ranks' boxes of r together.
  void gather(const Grid& r, int level, Grid& whole) {
    std::vector<double> mine;
    for (std::size_t z = 1; z + 1 < r.extent(z_axis); ++z)
      for (std::size_t y = 1; y + 1 < r.extent(y_axis); ++y)
        mine.insert(mine.end(), r.line(y, z) + 1, r.line(y, z) + r.extent(x_axis) - 1);
    const std::vector<double> all = exchange_.gather(mine);
    const double* next = all.data();
    for (int rank = 0; rank < layout_.ranks(); ++rank) {
      const Box box = layout_.box(level, rank);
      for (std::int64_t z = box[z_axis].begin; z < box[z_axis].end; ++z)
        for (std::int64_t y = box[y_axis].begin; y < box[y_axis].end; ++y) {
          double* const line =
              whole.line(static_cast<std::size_t>(y) + 1, static_cast<std::size_t>(z) + 1);
          std::copy_n(next, box[x_axis].size(), line + box[x_axis].begin + 1);
          next += box[x_axis].size();
        }
    }
    WholeHalo{}(whole);
  }

  /// Takes a box and the layer around it.
  static void take_part(const Grid& whole, const Box& box, Grid& u) {
    for (std::size_t z = 0; z < u.extent(z_axis); ++z)
      for (std::size_t y = 0; y < u.extent(y_axis); ++y) {
        const double* const line = whole.line(y + static_cast<std::size_t>(box[y_axis].begin),
                                              z + static_cast<std::size_t>(box[z_axis].begin));
        std::copy_n(line + box[x_axis].begin, u.extent(x_axis), u.line(y, z));
      }
  }

  Problem problem_;
  Layout layout_;
  E& exchange_;
  DividedHalo<E> halo_;
  int finest_;
  Box box_;
  Levels<DividedHalo<E>> coarser_;
  std::optional<Levels<WholeHalo>> whole_;  ///< Up to the coarsest divided level, if need be.
  Grid u_;
  Grid v_;
  Grid r_;
  Extremes charges_;
};

}  // namespace tasuki::npb::mg
