// Image segmentation by a graph cut (CC): pixels push flow to their neighbours, and are then raised. A pixel's excess
// is what has come and not gone on; what is negative can still go to the sink. The flow that can go on to neighbour d
// is in the pixel's capacities, at 4 p + d: right, left, down, up.
#include "cuda.h"

#define NEIGHBOURS                                                                                                   \
    int p = blockIdx_x * blockDim_x + threadIdx_x;                                                                   \
    if (p >= width * height)                                                                                         \
        return;                                                                                                      \
    int x = p % width, y = p / width;                                                                                \
    bool there[4] = {x + 1 < width, x > 0, y + 1 < height, y > 0};                                                   \
    int step[4] = {1, -1, width, -width};

__device__ inline int least(int a, int b) { return a < b ? a : b; }

// Pushes from p to q.
#define PUSH                                                                                                         \
    int flow = least(excesses[p], capacities[4 * p + d]);                                                            \
    if (flow > 0) {                                                                                                  \
        excesses[p] -= flow;                                                                                         \
        excesses[q] += flow;                                                                                         \
        capacities[4 * p + d] -= flow;                                                                               \
        capacities[4 * q + (d ^ 1)] += flow;                                                                         \
    }

extern "C" __global__ void push_tx(int *excesses, int *capacities, const int *levels, int *locks, int width,
                                   int height) {
    NEIGHBOURS
    if (((volatile int *)excesses)[p] <= 0)
        return;
#pragma nounroll
    for (int d = 0; d < 4; d++) {
        int q = p + step[d];
        if (there[d] && levels[p] == levels[q] + 1 && ((volatile int *)capacities)[4 * p + d] > 0) {
            __tx_begin();
            PUSH
            __tx_commit();
        }
    }
}

extern "C" __global__ void push_lock(volatile int *excesses, volatile int *capacities, const int *levels,
                                     int *locks, int width, int height) {
    NEIGHBOURS
    if (excesses[p] <= 0)
        return;
#pragma nounroll
    for (int d = 0; d < 4; d++) {
        int q = p + step[d];
        if (there[d] && levels[p] == levels[q] + 1 && capacities[4 * p + d] > 0) {
            LOCKED_BOTH(locks, p, q, { PUSH })
        }
    }
}

// A pixel from which nothing can be pushed goes one above its lowest neighbour that takes more.
extern "C" __global__ void raise(const int *excesses, const int *capacities, const int *levels, int *raised,
                                 int width, int height) {
    NEIGHBOURS
    int level = levels[p], lowest = width * height + 1;
    for (int d = 0; d < 4; d++)
        if (there[d] && capacities[4 * p + d] > 0)
            lowest = least(lowest, levels[p + step[d]] + 1);
    raised[p] = excesses[p] > 0 && lowest > level ? lowest : level;
}
