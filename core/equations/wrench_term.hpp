#pragma once
// A wrench between two bodies on the natural face: where it was evaluated, and its tangents along rigid motions.
//
// A frame of directors d_i that move with d_i' has, as far as power is concerned, the angular velocity w = 1/2 sum d_i x d_i': a torque T
// acts on the directors as forces 1/2 T x d_i, whose power sum 1/2 (T x d_i).d_i' is T.w, whatever the directors. Over a step the
// directors are the means of both ends, and the wrench sees the rotation nearest to them.
//
// Along a rigid motion (dr, theta) of the end frame D_e, dd_i = theta x D_e e_i:
//   positions    dr, theta,  and where d_i' stays   dw = 1/2 (Z - tr(Z) 1) theta,  Z = sum D_e e_i d_i'^T
//   velocities   dv = dr,                           dw = 1/2 (tr(Y) 1 - Y) theta,  Y = D_e D^T
// The derivatives of the wrench itself are differences: twelve for each body that moves.

#include "core/model/wrench.hpp"

namespace tenon {

/// How a body moves as a wrench sees it, and the maps above.
struct WrenchMotion {
    Kinematics k;
    Mat3 directors = Mat3::Identity(); ///< D as they are
    Mat3 turn = Mat3::Identity();      ///< 1/2 (tr(Y) 1 - Y)
    Mat3 drift = Mat3::Zero();         ///< 1/2 (Z - tr(Z) 1)
};

struct WrenchTerm {
    int body[2] = {-1, -1};
    int block[4] = {-1, -1, -1, -1};
    WrenchMotion motion[2];
    double t = 0;
    bool acts = false;             ///< where it was evaluated last
    bool fresh = false;            ///< tangents are of there
    bool pushed = false;           ///< where the tangents are of
    Mat6 stiffness[4], damping[4]; ///< -d(wrench on i)/d(motion of j), -d/d(its velocity): blocks 2 i + j
};

} // namespace tenon
