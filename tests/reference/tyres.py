"""Values of tyre laws for tests/model/tyre_laws.cpp, from their formulas alone: python3 tests/reference/tyres.py"""

from math import atan, cos, exp, pi, sin

CALSPAN = dict(A0=2625.0, A1=14.47, A2=12930.0, A3=2.29, A4=18175.0, B1=-4.64e-5, B3=1.216, B4=2.18e-11,
               SN=1.0274, AF1=-1.71e-5, AF2=1.71e-5)


def calspan(load, slip, camber, A0, A1, A2, A3, A4, B1, B3, B4, SN, AF1, AF2):
    mu = (B1 * load + B3 + B4 * load**2) * SN
    held = min(load, A2)
    d = A1 * held * (held - A2) - A0 * A2
    shift = -A2 * A3 * (A4 - held) * held / (A4 * d) * camber
    s = d / (A2 * mu * load) * (slip + shift)
    g = s - s * abs(s) / 3 + s**3 / 27 if abs(s) < 3 else (1 if s > 0 else -1)
    force = mu * load * g
    return force, (AF1 * load + AF2 * abs(force)) * force


Y = dict(FNOMIN=4000.0, R0=0.33, pCy1=1.3, pDy1=1.05, pDy2=-0.2, pDy3=2.0, pEy1=-0.9, pEy2=-0.5, pEy3=0.1, pEy4=-5.0,
         pKy1=-18.0, pKy2=1.8, pKy3=0.3, pHy1=0.003, pHy2=-0.001, pHy3=0.04, pVy1=0.02, pVy2=-0.01, pVy3=-0.3, pVy4=-0.1,
         qBz1=9.0, qBz2=-1.5, qBz3=-0.5, qBz4=-0.3, qBz5=0.5, qBz9=18.0, qBz10=0.1, qCz1=1.1, qDz1=0.11, qDz2=-0.005,
         qDz3=-0.4, qDz4=8.0, qDz6=-0.004, qDz7=0.002, qDz8=-0.2, qDz9=0.05, qEz1=-1.5, qEz2=0.4, qEz3=0.1, qEz4=0.15,
         qEz5=-1.0, qHz1=0.004, qHz2=0.001, qHz3=0.08, qHz4=0.02)
X = dict(FNOMIN=4000.0, pCx1=1.6, pDx1=1.2, pDx2=-0.08, pDx3=3.0, pEx1=0.1, pEx2=0.2, pEx3=-0.1, pEx4=0.05, pKx1=22.0,
         pKx2=-0.5, pKx3=0.2, pHx1=-0.0005, pHx2=0.0003, pVx1=0.001, pVx2=-0.002)


def sign(x):
    return (x > 0) - (x < 0)


def magic_y(load, a, g, friction, p):
    df = (load - p["FNOMIN"]) / p["FNOMIN"]
    K = p["pKy1"] * p["FNOMIN"] * sin(2 * atan(load / (p["pKy2"] * p["FNOMIN"]))) * (1 - p["pKy3"] * abs(g))
    C = p["pCy1"]
    D = (p["pDy1"] + p["pDy2"] * df) * (1 - p["pDy3"] * g * g) * friction * load
    SH = p["pHy1"] + p["pHy2"] * df + p["pHy3"] * g
    SV = load * (p["pVy1"] + p["pVy2"] * df + (p["pVy3"] + p["pVy4"] * df) * g)
    x = a + SH
    E = (p["pEy1"] + p["pEy2"] * df) * (1 - (p["pEy3"] + p["pEy4"] * g) * sign(x))
    B = K / (C * D)
    Fy = D * sin(C * atan(B * x - E * (B * x - atan(B * x)))) + SV
    at = a + p["qHz1"] + p["qHz2"] * df + (p["qHz3"] + p["qHz4"] * df) * g
    Bt = (p["qBz1"] + p["qBz2"] * df + p["qBz3"] * df**2) * (1 + p["qBz4"] * g + p["qBz5"] * abs(g))
    Ct = p["qCz1"]
    Dt = load * (p["qDz1"] + p["qDz2"] * df) * (1 + p["qDz3"] * g + p["qDz4"] * g * g) * p["R0"] / p["FNOMIN"]
    Et = (p["qEz1"] + p["qEz2"] * df + p["qEz3"] * df**2) * (1 + (p["qEz4"] + p["qEz5"] * g) * 2 / pi * atan(Bt * Ct * at))
    t = Dt * cos(Ct * atan(Bt * at - Et * (Bt * at - atan(Bt * at)))) * cos(a)
    ar = a + SH + SV / K
    Br = p["qBz9"] + p["qBz10"] * B * C
    Dr = load * ((p["qDz6"] + p["qDz7"] * df) + (p["qDz8"] + p["qDz9"] * df) * g) * p["R0"]
    return Fy, -t * Fy + Dr * cos(atan(Br * ar)) * cos(a)


def magic_x(load, k, g, friction, p):
    df = (load - p["FNOMIN"]) / p["FNOMIN"]
    x = k + p["pHx1"] + p["pHx2"] * df
    C = p["pCx1"]
    D = (p["pDx1"] + p["pDx2"] * df) * (1 - p["pDx3"] * g * g) * friction * load
    E = (p["pEx1"] + p["pEx2"] * df + p["pEx3"] * df**2) * (1 - p["pEx4"] * sign(x))
    K = load * (p["pKx1"] + p["pKx2"] * df) * exp(p["pKx3"] * df)
    B = K / (C * D)
    return D * sin(C * atan(B * x - E * (B * x - atan(B * x)))) + load * (p["pVx1"] + p["pVx2"] * df)


if __name__ == "__main__":
    print("Calspan: load, slip, camber, force, moment")
    for point in [(3831.31, 0.01, 0.0), (3831.31, -0.2, 0.02), (5000.0, 0.05, -0.03), (14000.0, 0.02, 0.01), (500.0, 0.3, 0.0)]:
        print("    {%s}," % ", ".join(repr(v) for v in point + calspan(*point, **CALSPAN)))
    print("Magic Formula: load, slip, camber, lateral, moment, longitudinal")
    for point in [(4000.0, 0.02, 0.0), (3000.0, -0.08, 0.05), (6500.0, 0.15, -0.03), (2000.0, 0.6, 0.02)]:
        y, moment = magic_y(*point, 0.9, Y)
        print("    {%s}," % ", ".join(repr(v) for v in point + (y, moment, magic_x(*point, 0.9, X))))
