#pragma once
// One function a method, each in its own file; listed in integrator_types.cpp.

#include "core/integrators/integrator.hpp"

#include <memory>

namespace tenon {

std::unique_ptr<Integrator> make_projection(const Settings& settings);
std::unique_ptr<Integrator> make_conserving(const Settings& settings);
std::unique_ptr<Integrator> make_conserving_projection(const Settings& settings);
std::unique_ptr<Integrator> make_augmented_lagrangian(const Settings& settings);
std::unique_ptr<Integrator> make_energy_preserving(const Settings& settings);
std::unique_ptr<Integrator> make_energy_decaying(const Settings& settings);
std::unique_ptr<Integrator> make_explicit_correction(const Settings& settings);
std::unique_ptr<Integrator> make_baumgarte(const Settings& settings);
std::unique_ptr<Integrator> make_munthe_kaas(const Settings& settings);
std::unique_ptr<Integrator> make_gauss_newmark(const Settings& settings);

} // namespace tenon
