// The tangent of the natural face: assembled from terms along rigid motions, factorised, and kept with its rows.
//
//   T = m M + c C + k K + J^T W J_end, tested at `test_`, tried at `end_`; the rotational block of M is tr(X) - X with
//   X = D_end E D_test^T
//
// In the end-point form test and trial motions are the same and T is symmetric: L D L^T. In the discrete forms it is not, nor where
// wrenches push that have no potential: LU.

#include "core/equations/natural_equations.hpp"

#include <algorithm>
#include <limits>

namespace tenon {

void NaturalEquations::connect(Term& term) {
    for (int i = 0; i < 2; ++i) {
        term.own[i] = term.body[i] >= 0 ? ldlt_.entry(term.body[i], term.body[i]).index : -1;
        for (int j = 0; j < 2; ++j) {
            const int a = term.body[i], b = term.body[j];
            term.block[2 * i + j] = a >= 0 && b >= 0 ? lu_.index(a, b) : -1;
        }
    }
    if (term.body[0] >= 0 && term.body[1] >= 0)
        term.pair = ldlt_.entry(term.body[0], term.body[1]);
}

void NaturalEquations::connect() {
    for (Term& term : row_term_)
        connect(term);
    for (Term& term : load_term_)
        connect(term);
    kept_.resize(row_term_.size() + gear_term_.size());
    for (std::size_t r = 0; r < row_term_.size(); ++r) {
        kept_[r].row = static_cast<int>(r);
        for (int i = 0; i < 2; ++i)
            kept_[r].body[i] = row_term_[r].body[i];
    }
    KeptRow* kept = kept_.data() + row_term_.size();
    for (GearTerm& gear : gear_term_) {
        connect(gear.second);
        kept->row = gear.row;
        for (int i = 0; i < 2; ++i) {
            kept->body[i] = gear.second.body[i];
            for (int j = 0; j < 2; ++j) {
                const int a = row_term_[gear.row].body[i], b = gear.second.body[j];
                if (a < 0 || b < 0)
                    continue;
                gear.cross[2 * i + j] = lu_.index(a, b);
                gear.cross[4 + 2 * i + j] = lu_.index(b, a);
                gear.pair[2 * i + j] = ldlt_.entry(a, b);
            }
        }
        ++kept;
    }
    for (int b = 0; b < n_; ++b) {
        diagonal_.push_back(lu_.index(b, b));
        symmetric_diagonal_.push_back(ldlt_.entry(b, b).index);
    }
}

void NaturalEquations::assemble(double m, double c, double k, const Vector& weight) {
    lu_.set_zero();
    for (int b = 0; b < n_; ++b) {
        Mat6& block = lu_.at(diagonal_[b]);
        block.diagonal().head<3>().setConstant(m * mechanism_.body()[b].mass);
        const Mat3 X = end_[b].D * second_moment_[b] * test_[b].D.transpose();
        block.bottomRightCorner<3, 3>() = m * (X.trace() * Mat3::Identity() - X);
    }
    const auto add = [&](int block, double factor, const Vec6& test, const Vec6& trial) {
        if (block >= 0)
            lu_.at(block).noalias() += (factor * test) * trial.transpose();
    };
    const auto add_term_tangent = [&](const Term& term, double factor) {
        for (int i = 0; i < 2 && factor != 0; ++i) {
            add(term.block[2 * i], factor, term.test[i], term.trial[0]);
            add(term.block[2 * i + 1], factor, term.test[i], term.trial[1]);
        }
    };
    for (int r = 0; r < m_; ++r)
        add_term_tangent(row_term_[r], weight[r]);
    for (const Term& term : load_term_)
        add_term_tangent(term, k * term.stiffness + c * term.damping);
    for (const GearTerm& gear : gear_term_) {
        const Term& first = row_term_[gear.row];
        add_term_tangent(gear.second, weight[gear.row]);
        for (int i = 0; i < 2; ++i) {
            for (int j = 0; j < 2; ++j) {
                add(gear.cross[2 * i + j], weight[gear.row], first.test[i], gear.second.trial[j]);
                add(gear.cross[4 + 2 * i + j], weight[gear.row], gear.second.test[j], first.trial[i]);
            }
        }
    }
    factor_wrenches(c, k);
}

void NaturalEquations::assemble_symmetric(double m, double c, double k, const Vector& weight) {
    ldlt_.set_zero();
    for (int b = 0; b < n_; ++b) {
        Mat6& block = ldlt_.at(symmetric_diagonal_[b]);
        block.diagonal().head<3>().setConstant(m * mechanism_.body()[b].mass);
        const Mat3 X = end_[b].D * second_moment_[b] * end_[b].D.transpose();
        block.bottomRightCorner<3, 3>() = m * (X.trace() * Mat3::Identity() - X);
    }
    /// factor a b^T at (a, b); of a pair, one of the two blocks is there.
    const auto add = [&](BlockLdlt::Entry entry, double factor, const Vec6& a, const Vec6& b) {
        const Vec6& row = entry.transposed ? b : a;
        const Vec6& column = entry.transposed ? a : b;
        ldlt_.at(entry.index).noalias() += (factor * row) * column.transpose();
    };
    const auto add_term_tangent = [&](const Term& term, double factor) {
        if (factor == 0)
            return;
        for (int i = 0; i < 2; ++i) {
            if (term.own[i] >= 0)
                add({term.own[i], false}, factor, term.trial[i], term.trial[i]);
        }
        if (term.pair.index >= 0)
            add(term.pair, factor, term.trial[0], term.trial[1]);
    };
    for (int r = 0; r < m_; ++r)
        add_term_tangent(row_term_[r], weight[r]);
    for (const Term& term : load_term_)
        add_term_tangent(term, k * term.stiffness + c * term.damping);
    for (const GearTerm& gear : gear_term_) {
        const Term& first = row_term_[gear.row];
        add_term_tangent(gear.second, weight[gear.row]);
        for (int i = 0; i < 2; ++i) {
            for (int j = 0; j < 2; ++j) {
                const BlockLdlt::Entry entry = gear.pair[2 * i + j];
                if (entry.index < 0)
                    continue;
                add(entry, weight[gear.row], first.trial[i], gear.second.trial[j]);
                if (first.body[i] == gear.second.body[j]) // a body of both: its block has both products
                    add(entry, weight[gear.row], gear.second.trial[j], first.trial[i]);
            }
        }
    }
}

void NaturalEquations::keep_rows() {
    const auto keep = [](const Term& term, KeptRow& kept) {
        for (int i = 0; i < 2; ++i) {
            kept.test[i] = term.test[i];
            kept.trial[i] = term.trial[i];
        }
    };
    for (int r = 0; r < m_; ++r)
        keep(row_term_[r], kept_[r]);
    for (std::size_t i = 0; i < gear_term_.size(); ++i)
        keep(gear_term_[i].second, kept_[row_term_.size() + i]);
}

void NaturalEquations::factor(double m, double c, double k, const Vector& weight) {
    find_wrench_tangents();
    symmetric_ = end_point_ && std::ranges::none_of(wrench_term_, &WrenchTerm::pushed);
    if (symmetric_) {
        assemble_symmetric(m, c, k, weight);
        regular_ = ldlt_.factor();
    } else {
        assemble(m, c, k, weight);
        regular_ = lu_.factor();
    }
    keep_rows();
}

/// x = T^-1 (x - J^T mu), T and J as kept.
void NaturalEquations::solve_kept(const Vector& mu, Vector& x) const {
    if (!regular_) {
        x.setConstant(std::numeric_limits<double>::quiet_NaN()); // the iteration ends there
        return;
    }
    if (mu.size() > 0) {
        for (const KeptRow& kept : kept_) {
            for (int i = 0; i < 2; ++i) {
                if (kept.body[i] >= 0)
                    x.segment<6>(6 * kept.body[i]) -= mu[kept.row] * kept.test[i];
            }
        }
    }
    if (symmetric_)
        ldlt_.solve(x);
    else
        lu_.solve(x);
}

void NaturalEquations::solve(const Vector& f, const Vector& mu, Vector& dx) {
    for (int b = 0; b < n_; ++b)
        dx.segment<6>(6 * b) = -tested(f.segment<12>(12 * b), test_[b].D);
    solve_kept(mu, dx);
}

void NaturalEquations::row_increment(const Vector& dx, Vector& out) const {
    out.setZero();
    for (const KeptRow& kept : kept_) {
        for (int i = 0; i < 2; ++i) {
            if (kept.body[i] >= 0)
                out[kept.row] += kept.trial[i].dot(dx.segment<6>(6 * kept.body[i]));
        }
    }
}

void NaturalEquations::solve_motion(const Vector& p, const Vector& mu, Vector& x, Vector& rows) {
    for (int b = 0; b < n_; ++b)
        x6_.segment<6>(6 * b) = tested(p.segment<12>(12 * b), test_[b].D);
    solve_kept(mu, x6_);
    row_increment(x6_, rows);
    velocity_from_rigid(point_q_, x6_, x);
}

void NaturalEquations::choose_metric(double m, double c, double k) {
    m_factor_ = m;
    c_factor_ = c;
    k_factor_ = k;
    if (c != 0 || k != 0)
        find_wrench_tangents();
}

void NaturalEquations::base_times(const Vector& x, Vector& out) const {
    mass_times(x, out);
    out *= m_factor_;
    if (c_factor_ == 0 && k_factor_ == 0)
        return;
    for (const Term& term : load_term_) {
        const double factor = k_factor_ * term.stiffness + c_factor_ * term.damping;
        if (factor != 0)
            add_term(term, factor * term_times(term, x), out);
    }
    wrench_base_times(x, out);
}

bool NaturalEquations::mass_alone() const {
    for (const Term& term : load_term_) {
        if (term.stiffness != 0 || term.damping != 0)
            return false;
    }
    return std::ranges::none_of(wrench_term_, &WrenchTerm::acts);
}

} // namespace tenon
