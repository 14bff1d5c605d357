// Increments of a node behind loads of all before it: a queue of transactions, which is not of the paper.
#include "cuda.h"

#define APART 8

extern "C" __global__ void list_tx(const int *lasts, int *nodes, int *locks, int n) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i >= n)
        return;
    int last = lasts[i];
    __tx_begin();
    int sum = 0;
    for (int at = 0; at < last; at++)
        sum |= nodes[APART * at];
    nodes[APART * last] += sum >= 0;
    __tx_commit();
}

extern "C" __global__ void list_lock(const int *lasts, volatile int *nodes, int *locks, int n) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i >= n)
        return;
    int last = lasts[i];
    LOCKED(locks[0], {
        int sum = 0;
        for (int at = 0; at < last; at++)
            sum |= nodes[APART * at];
        nodes[APART * last] += sum >= 0;
    })
}
