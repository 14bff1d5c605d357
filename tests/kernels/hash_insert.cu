// Insertion into a hash table whose buckets have locks of their own. A lane that holds a lock
// releases it within the same turn of the loop: lanes of a warp must not wait for each other.
#include "cuda.h"

#define SLOTS 16

extern "C" __global__ void hash_insert(const int *keys, int *locks, int *counts, int *slots,
                                       int buckets, int n) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i >= n)
        return;
    unsigned bucket = (unsigned)keys[i] * 2654435761u % buckets;
    // Volatile, or clang moves what is done under the lock behind the loop.
    volatile bool done = false;
    while (!done) {
        if (atomic_cas(&locks[bucket], 0, 1) == 0) {
            __threadfence();
            int at = ((volatile int *)counts)[bucket];
            if (at < SLOTS) {
                ((volatile int *)slots)[bucket * SLOTS + at] = keys[i];
                ((volatile int *)counts)[bucket] = at + 1;
            }
            __threadfence();
            atomic_exchange(&locks[bucket], 0);
            done = true;
        }
    }
}
