#pragma once
// Block factorisation of the constrained equations of a machine along the graph of its bodies and joints.
//
//   M a = f + G^T lambda,   G a = rhs          M: one 6x6 block a body, G: rows between two bodies, gears between more
//
// A spanning tree of the joints is eliminated from its leaves to the world. With d = r_c - r_p and the rigid shift
// X = [1 -d~; 0 1], a joint between child c and parent p forbids G_c (a_c - X a_p): where the joint holds, its rows do
// not feel a common rigid motion. With an orthonormal basis S of the null space of G_c and a right inverse K of G_c
//
//   a_c = X a_p + S u + K rhs,        X - K (G_p + G_c X) for X where the joint is off (stages of Runge-Kutta methods)
//
// and u is eliminated by D = S^T A_c S, A_c the articulated inertia: the O(n) recursion of Featherstone, for any row.
// Rows of joints that close loops are carried along as columns C of the bodies on their cycle; each is eliminated at
// the body where its cycle closes (or last, at the world), with the pivot N_kk = sum Y^T D^-1 Y, Y = S^T C. A pivot
// that is zero against its diagonal marks a row that follows from the others: it gets no multiplier. N is positive
// semidefinite, so a zero pivot has a zero row and nothing is lost. A squared quantity is compared: rank_tolerance
// 1e-12 corresponds to 1e-6 in singular values.
//
// Where a machine has redundant rows, collect_loops() lets the loops that depend on each other be eliminated together,
// as dense blocks whose rank is known: see graph_kkt_blocks.cpp.
//
// A motion without inertia that only loops restrict makes D singular although the whole is regular. D is then
// regularised, and solve() iterates on the residual of the true system (proximal point method).
//
// Symbolic analysis once; factor() and solve() allocate nothing; cost is linear for trees and for chains of loops.

#include "core/math/types.hpp"

#include <vector>

namespace tenon {

/// Mass and inertia about the centre of mass in world axes.
struct BodyMass {
    double mass = 0;
    Mat3 inertia = Mat3::Zero();
};

/// Gradient of a row with respect to the velocities of its two bodies.
struct RowGradient {
    Vec6 g1, g2;
};

class GraphKkt {
  public:
    static constexpr double rank_tolerance = 1e-12;
    static constexpr double raw_tolerance = 1e-20; ///< a loop row that meets no freedom at all

    /// Rows row, row + 1, ... between two bodies, -1 the world.
    struct Link {
        int first = -1, second = -1;
        int row = 0, rows = 0;
    };
    /// A row between more than two bodies (a gear); its gradients are couplings_gradient[gradient + i] of bodies[i].
    struct Coupling {
        int row = 0;
        int gradient = 0;
        std::vector<int> bodies;
    };

    GraphKkt(int bodies, std::vector<Link> links, std::vector<Coupling> couplings, int rows);

    /// Rows to leave out for good; their multipliers are zero. Repeats the symbolic analysis, without blocks.
    void exclude(const std::vector<char>& excluded);
    /// Loops that had dropped rows in the last factorisation are from now on eliminated in blocks: those that share a
    /// body all at once, or joint by joint where they are many. Excludes as exclude() does.
    void collect_loops(const std::vector<char>& excluded);
    /// How many rows of each block the last factorisation could do without, in order of elimination.
    std::vector<int> block_deficiency() const;
    /// So many rows of each block are redundant wherever the machine is: no factorisation uses more of them.
    void expect(const std::vector<int>& block_deficiency);
    bool expects_redundancy() const { return in_blocks_; }
    /// The share of a row in what the last factorisation left out: 1 for a row that is dropped; of a block, the rows'
    /// shares add up to the number of its redundant rows.
    double redundancy(int row) const { return share_[row]; }
    /// Sets the inertia that regularisation is measured against from the last factorisation.
    void calibrate();

    /// What the pointers point to must stay until the last solve() of this factorisation.
    void factor(const BodyMass* mass, const Vec3* position, const RowGradient* rows,
                const Vec6* coupling_gradients);
    void solve(const Vector& f, const Vector& rhs, Vector& a, Vector& lambda);

    /// Rows without a multiplier, excluded ones included.
    int rank_deficiency() const { return deficiency_; }
    /// Did the last factorisation drop this row (or was it excluded)? Never a row of a block.
    bool dropped(int row) const { return dropped_[row] != 0; }
    /// After solve(): the body that moves without inertia or -1.
    int unresolved_body() const { return unresolved_; }
    /// Work of the last factorisation, for tests of linear cost: stored columns of loops.
    int loop_columns() const { return static_cast<int>(column_.size()); }

  private:
    struct Node {
        int parent = -1;
        int link = -1;       // tree link, -1: free
        bool second = false; // this body is the link's second
        int row = 0, rows = 0;
        int free = 6;
        int column = 0, columns = 0; // in column_, column_row_
        int closing = 0;             // the first `closing` columns are eliminated at this body
        int pair = 0;                // first index into pair_entry_
        Vec3 d = Vec3::Zero();       // r_c - r_p
        int store = 0;               // in store_: S, U (6 x free), D^-1 (free x free), K (6 x rows)
        int room = 6;                // columns of S there is room for
        bool bent = false;           // X is in bent_, not the shift by d
        Mat6 A;
        Vec6 F, k, u, a;
    };
    // Kept tight: a large machine is read from memory several times per step.
    Eigen::Map<Vec6> S(const Node& n, int i) { return Eigen::Map<Vec6>(&store_[n.store + 6 * i]); }
    Eigen::Map<Vec6> U(const Node& n, int i) { return Eigen::Map<Vec6>(&store_[n.store + 6 * (n.room + i)]); }
    double& Dinv(const Node& n, int i, int j) { return store_[n.store + 12 * n.room + i * n.room + j]; }
    Eigen::Map<Vec6> K(const Node& n, int i) {
        return Eigen::Map<Vec6>(&store_[n.store + (12 + n.room) * n.room + 6 * i]);
    }
    // One loop row in elimination order.
    struct Pivot {
        int row = 0;
        int diagonal = 0;                  // entry index
        int neighbour = 0, neighbours = 0; // in neighbour_, neighbour_entry_
        int update = 0;                    // in update_entry_
        double inverse = 0;
        double scale = 0; // diagonal before other loops were eliminated
        double raw = 0;   // what the diagonal would be without cancellation
        double b = 0, lambda = 0;
    };

    // Rows of loops that are eliminated together, N^+ = T T^T. In block_store_: T (rows x rows), T^T B (rows x
    // neighbours), C T (6 x rows), of which the first `rank` columns (rows for T^T B) are used; then T^T b.
    struct Block {
        int pivot = 0, rows = 0;
        int neighbours = 0; // of its last pivot: those outside
        int expected = 0;   // redundant rows wherever the machine is
        int rank = 0;
        int store = 0;
    };
    // What analyse() knows of a loop row.
    struct Direct {
        int column, row, side, gradient; // side 1, 2: of a link; 0: coupling gradient
    };
    struct LoopRow {
        int row, close;
        std::vector<int> bodies;
        std::vector<Direct> direct; // column holds the body for now
        int group;                  // rows of one link have the same
    };

    void build_tree();
    void analyse();
    int meet(int a, int b) const;
    std::vector<std::vector<int>> passing_loops(const std::vector<LoopRow>& loops) const;
    std::vector<int> gather_blocks(std::vector<LoopRow>& loops) const;
    void store_blocks();
    int decompose(const Block& block);
    void eliminate_block(Block& block, Node* node);
    void forward_block(const Block& block, Node* node);
    void resolve_block(const Block& block, const Vec6* a, Vector& lambda);
    void measure_rows();
    void factor_node(Node& node, int body);
    void eliminate_pivot(int index, Node* node);
    void null_space(Node& node);
    void invert_free_inertia(Node& node);
    void find_bend(Node& node, int body);
    Vec6 to_child(const Node& node, int body, const Vec6& a) const;
    Vec6 to_parent(const Node& node, int body, const Vec6& f) const;
    void solve_once(const Vector& f, const Vector& rhs, Vector& a, Vector& lambda);
    void residual(const Vector& f, const Vector& rhs, const Vector& a, const Vector& lambda, Vector& rf,
                  Vector& rr) const;

    int bodies_, rows_;
    std::vector<Link> links_;
    std::vector<Coupling> couplings_;
    std::vector<char> excluded_, dropped_;
    std::vector<double> share_;
    std::vector<Node> nodes_;
    std::vector<double> store_;
    std::vector<Mat6> bent_;        // by body
    std::vector<int> order_;        // leaves first
    std::vector<int> depth_;        // by body
    std::vector<char> tree_link_;   // by link
    std::vector<Pivot> pivots_;     // in elimination order
    std::vector<int> pivot_of_row_; // -1: not a loop row
    int world_pivot_ = 0;           // first pivot eliminated at the world

    std::vector<Vec6> column_, column_z_; // C; Z in its first `free` entries
    std::vector<int> column_pivot_;       // which pivot a column belongs to
    std::vector<int> column_parent_;      // column of the parent it is added to, -1 none
    std::vector<Direct> direct_;
    std::vector<int> pair_entry_;
    std::vector<double> entry_;
    std::vector<int> neighbour_, neighbour_entry_, neighbour_column_, update_entry_;

    bool in_blocks_ = false;
    std::vector<char> redundant_; // rows that collect_loops() found dropped
    std::vector<Block> blocks_;   // in elimination order
    std::vector<int> block_of_pivot_;
    std::vector<double> block_store_;
    std::vector<double> row_length_; // by row: 1, for rows of angles the length that makes them comparable
    std::vector<int> block_order_;   // scratch of decompose()
    Matrix block_N_, block_W_, block_R_;

    const BodyMass* mass_ = nullptr;
    const RowGradient* row_gradient_ = nullptr;
    const Vec6* coupling_gradient_ = nullptr;
    int deficiency_ = 0;
    int unresolved_ = -1;
    bool regularised_ = false;
    double typical_ = 0;
    Vector rf_, rr_, da_, dl_;
};

} // namespace tenon
