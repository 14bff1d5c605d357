// Insertion into a hash table of chains, in a transaction (the program HT of Kilo TM and GETM): the node of
// key i is i + 1, and 0 ends a chain.
#include "cuda.h"

extern "C" __global__ void hash_insert_tx(const int *keys, int *heads, int *nexts, int *counts,
                                          int buckets, int n) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i >= n)
        return;
    unsigned bucket = (unsigned)keys[i] * 2654435761u % buckets;
    __tx_begin();
    nexts[i] = heads[bucket];
    heads[bucket] = i + 1;
    counts[bucket] += 1;
    __tx_commit();
}
