// Insertion into a hash table of chains (HT). The node of thread i is i + 1, and 0 ends a chain; pointers have
// 8 bytes, as in the programs of Kilo TM's authors.
#include "cuda.h"

struct Node {
    long long next;
    int key, unused;
};

extern "C" __global__ void hash_table_tx(const int *keys, long long *heads, Node *nodes, int *locks, int buckets,
                                         int n) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i >= n)
        return;
    int key = keys[i];
    unsigned bucket = (unsigned)key % buckets;
    __tx_begin();
    nodes[i + 1].key = key;
    nodes[i + 1].next = heads[bucket];
    heads[bucket] = i + 1;
    __tx_commit();
}

extern "C" __global__ void hash_table_lock(const int *keys, volatile long long *heads, volatile Node *nodes,
                                           int *locks, int buckets, int n) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i >= n)
        return;
    int key = keys[i];
    unsigned bucket = (unsigned)key % buckets;
    nodes[i + 1].key = key;
    LOCKED(locks[bucket], {
        nodes[i + 1].next = heads[bucket];
        heads[bucket] = i + 1;
    })
}
