// Forces of the springs of a cloth (CL, CLto), in whole numbers: each spring adds its force to both ends.
#include "cuda.h"

struct Vector {
    int x, y, z, unused;
};

__device__ inline Vector force(const Vector *points, int a, int b, int rest) {
    Vector d = {points[b].x - points[a].x, points[b].y - points[a].y, points[b].z - points[a].z};
    int stretch = d.x * d.x + d.y * d.y + d.z * d.z - rest;
    return {d.x * stretch >> 8, d.y * stretch >> 8, d.z * stretch >> 8};
}

#define ADD(to, sign, f) (to).x += sign(f).x, (to).y += sign(f).y, (to).z += sign(f).z

// All in a transaction.
extern "C" __global__ void cloth_tx(const int *ends, Vector *points, Vector *forces, int *locks, int rest, int n) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i >= n)
        return;
    int a = ends[2 * i], b = ends[2 * i + 1];
    __tx_begin();
    Vector f = force(points, a, b, rest);
    ADD(forces[a], +, f);
    ADD(forces[b], -, f);
    __tx_commit();
}

// The force is computed before, and each end has a transaction of its own.
extern "C" __global__ void cloth_short_tx(const int *ends, Vector *points, Vector *forces, int *locks, int rest,
                                          int n) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i >= n)
        return;
    int a = ends[2 * i], b = ends[2 * i + 1];
    Vector f = force(points, a, b, rest);
    __tx_begin();
    ADD(forces[a], +, f);
    __tx_commit();
    __tx_begin();
    ADD(forces[b], -, f);
    __tx_commit();
}

extern "C" __global__ void cloth_lock(const int *ends, Vector *points, volatile Vector *forces, int *locks,
                                      int rest, int n) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i >= n)
        return;
    int a = ends[2 * i], b = ends[2 * i + 1];
    Vector f = force(points, a, b, rest);
    LOCKED_BOTH(locks, a, b, {
        ADD(forces[a], +, f);
        ADD(forces[b], -, f);
    })
}

extern "C" __global__ void cloth_short_lock(const int *ends, Vector *points, volatile Vector *forces, int *locks,
                                            int rest, int n) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i >= n)
        return;
    int a = ends[2 * i], b = ends[2 * i + 1];
    Vector f = force(points, a, b, rest);
    LOCKED(locks[a], { ADD(forces[a], +, f); })
    LOCKED(locks[b], { ADD(forces[b], -, f); })
}
