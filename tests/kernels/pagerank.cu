// Ranks of nodes by the ranks of those that lead to them: `sources` of node i are from first[i] to
// first[i + 1], `degree` counts the edges that leave a node.
#include "cuda.h"

// Each node starts with the same share.
extern "C" __global__ void pagerank_start(float *now, float *then, int nodes) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i < nodes)
        now[i] = then[i] = 1.0f / nodes;
}

extern "C" __global__ void pagerank(const int *first, const int *sources, const int *degree,
                                    const float *now, float *then, int nodes) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i >= nodes)
        return;
    float sum = 0;
    for (int e = first[i]; e < first[i + 1]; e++)
        sum += now[sources[e]] / degree[sources[e]];
    then[i] = 0.15f / nodes + 0.85f * sum;
}
