// Breadth-first searches with flags of 32 bits. Edges of node i are from first[i] to first[i + 1].
#include "cuda.h"

// With the data race of section 1.1 (BFSr): a thread reads its flag and cost while a neighbour writes them.
extern "C" __global__ void bfs_step(const int *first, const int *edges, volatile int *active, volatile int *visited,
                                    volatile int *cost, int *over, int nodes) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i >= nodes || !active[i])
        return;
    active[i] = 0;
    visited[i] = 1;
    for (int e = first[i]; e < first[i + 1]; e++) {
        int to = edges[e];
        if (!visited[to]) {
            cost[to] = cost[i] + 1;
            active[to] = 1;
            *over = 1;
        }
    }
}

// Without the race (BFSf): neighbours are noted in one kernel, and made active in the next.
extern "C" __global__ void bfs_note(const int *first, const int *edges, int *active, int *noted, const int *visited,
                                    int *cost, int nodes) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i >= nodes || !active[i])
        return;
    active[i] = 0;
    for (int e = first[i]; e < first[i + 1]; e++) {
        int to = edges[e];
        if (!visited[to]) {
            cost[to] = cost[i] + 1;
            noted[to] = 1;
        }
    }
}

extern "C" __global__ void bfs_activate(int *active, int *noted, int *visited, int *over, int nodes) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i >= nodes || !noted[i])
        return;
    active[i] = 1;
    visited[i] = 1;
    noted[i] = 0;
    *over = 1;
}
