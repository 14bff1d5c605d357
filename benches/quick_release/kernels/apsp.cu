// Shortest paths between all pairs of nodes: a thread relaxes one distance, over the edges into its node. Others
// see what it finds at once; the host launches until nothing changes.
#include "cuda.h"

__device__ inline int load_acquire(const int *at) {
    int value;
    asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
    return value;
}

__device__ inline void store_release(int *at, int value) {
    asm volatile("st.release.gpu.s32 [%0], %1;" : : "l"(at), "r"(value) : "memory");
}

extern "C" __global__ void apsp(const int *first, const int *from, const int *weight, int *distance,
                                int *changed, int nodes) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i >= nodes * nodes)
        return;
    int node = i % nodes, *row = distance + i - node;
    int own = row[node], best = own;
    for (int e = first[node]; e < first[node + 1]; e++) {
        int through = load_acquire(&row[from[e]]) + weight[e];
        best = through < best ? through : best;
    }
    if (best < own) {
        store_release(&row[node], best);
        *changed = 1;
    }
}
