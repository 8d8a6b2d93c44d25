/* Engine, clutch, gearbox and open differential (our own numbers, of a small car).

   Engine      J w' = pedal T_full(w) + idle(w) - drag(w) - T_clutch
   Clutch      T_clutch = capacity engagement(w) tanh((w - w_in) / slip): Coulomb friction, smoothed; it opens below 1500 rpm, so
               that the engine does not stall, and while a gear is changed
   Gearbox     w_in = ratio[gear] final_drive (w_left + w_right) / 2; changes up and down by itself
   Differential  the same torque on both wheels: tau = efficiency ratio[gear] final_drive T_clutch / 2

   Wheel speeds come in, torques go out: the wheels' inertia belongs to whoever has the wheels. */

#include "powertrain.h"

#include <math.h>
#include <stddef.h>

/* Full throttle: rad/s and N m. */
static const double map_w[] = {80, 160, 260, 370, 470, 580, 680};
static const double map_torque[] = {60, 90, 108, 112, 108, 95, 55};
static const double ratio[] = {3.6, 2.1, 1.4, 1.0, 0.8};

static const double idle_w = 90;          /* the governor keeps the engine above this */
static const double engage_from = 105, engage_at = 160;
static const double slip = 10;            /* rad/s over which the clutch's friction is smoothed */
static const double efficiency = 0.94;    /* of gearbox and differential together */
static const double engine_efficiency = 0.3, heating_value = 43e6; /* J/kg */
static const double longest_step = 1e-3;  /* s; the clutch settles in 7 ms */

static double clamp(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

static double full_torque(double w) {
    const size_t count = sizeof map_w / sizeof *map_w;
    if (w <= map_w[0])
        return map_torque[0];
    for (size_t i = 1; i < count; ++i)
        if (w < map_w[i])
            return map_torque[i - 1] + (map_torque[i] - map_torque[i - 1]) * (w - map_w[i - 1]) / (map_w[i] - map_w[i - 1]);
    return fmax(0, map_torque[count - 1] - 2 * (w - map_w[count - 1])); /* beyond the limiter nothing is left */
}

static double reduction(const Powertrain* p) { return ratio[p->gear - 1] * p->real[final_drive]; }

static double clutch_torque(const Powertrain* p, double w) {
    if (p->shift_left > 0)
        return 0;
    const double w_in = reduction(p) * (p->real[left_w] + p->real[right_w]) / 2;
    const double engagement = clamp((w - engage_from) / (engage_at - engage_from), 0, 1);
    return p->real[clutch_capacity] * engagement * tanh((w - w_in) / slip);
}

/* Of the burning gas alone. */
static double gas_torque(const Powertrain* p, double w) {
    const double pedal = p->shift_left > 0 ? 0 : clamp(p->real[throttle], 0, 1);
    return pedal * full_torque(w) + fmax(0, 2 * (idle_w - w)) + 8; /* 8 N m carry the friction at idle */
}

static double acceleration(const Powertrain* p, double w) {
    const double drag = 6 + 0.025 * w;
    return (gas_torque(p, w) - drag - clutch_torque(p, w)) / p->real[engine_inertia];
}

static void change_gears(Powertrain* p, double h) {
    const double w = p->real[engine_w];
    const int last = (int)(sizeof ratio / sizeof *ratio);
    if (p->shift_left > 0) {
        p->shift_left = fmax(0, p->shift_left - h);
        return;
    }
    const int change = w > p->real[shift_up_w] && p->gear < last ? 1 : w < p->real[shift_down_w] && p->gear > 1 ? -1 : 0;
    p->gear += change;
    if (change != 0)
        p->shift_left = p->real[shift_time];
}

/* The classical Runge-Kutta method; the gear stays for the length of it. */
static void runge_kutta(Powertrain* p, double h) {
    const double w = p->real[engine_w];
    const double k1 = acceleration(p, w), k2 = acceleration(p, w + h / 2 * k1);
    const double k3 = acceleration(p, w + h / 2 * k2), k4 = acceleration(p, w + h * k3);
    p->real[engine_w] = fmax(0, w + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4));
    p->real[fuel] += h * gas_torque(p, w) * w / (engine_efficiency * heating_value);
}

void powertrain_start(Powertrain* p) {
    *p = (Powertrain){.gear = 1};
    p->real[engine_w] = 90;
    p->real[engine_inertia] = 0.12;
    p->real[clutch_capacity] = 180;
    p->real[final_drive] = 4;
    p->real[shift_up_w] = 560;
    p->real[shift_down_w] = 180;
    p->real[shift_time] = 0.3;
}

void powertrain_outputs(Powertrain* p) {
    p->real[left_tau] = p->real[right_tau] = efficiency * reduction(p) * clutch_torque(p, p->real[engine_w]) / 2;
}

void powertrain_step(Powertrain* p, double end) {
    const int steps = (int)fmax(1, ceil((end - p->time) / longest_step - 1e-6));
    const double h = (end - p->time) / steps;
    for (int i = 0; i < steps; ++i) {
        runge_kutta(p, h);
        change_gears(p, h);
    }
    p->time = end;
}
