/* A car's powertrain between the pedal and two half shafts. What it computes is in powertrain.c; fmi2.c makes an FMU of it.
   The variables are numbered as in modelDescription.xml. */

#ifndef POWERTRAIN_H
#define POWERTRAIN_H

enum {
    throttle,                   /* inputs: 0 to 1; rad/s of the wheels */
    left_w,
    right_w,
    left_tau,                   /* outputs: N m on the wheels, rad/s, kg */
    right_tau,
    engine_w,
    fuel,
    engine_inertia,             /* parameters: kg m2, N m, -, rad/s, rad/s, s */
    clutch_capacity,
    final_drive,
    shift_up_w,
    shift_down_w,
    shift_time,
    number_of_reals
};

/* All that a step depends on, and nothing else: copying it saves the state. */
typedef struct {
    double time;
    double real[number_of_reals];
    int gear;          /* 1 to 5 */
    double shift_left; /* s until the clutch closes again; 0: not shifting */
} Powertrain;

/* Start values, those of modelDescription.xml. */
void powertrain_start(Powertrain* p);
/* The outputs that follow the inputs at once: torques. */
void powertrain_outputs(Powertrain* p);
/* From p->time to `end` with constant inputs. */
void powertrain_step(Powertrain* p, double end);

#endif
