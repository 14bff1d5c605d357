// Sums of all elements before, within each CTA: by shuffles, then over the warps in shared memory.
#include "cuda.h"

extern "C" __global__ void scan(const int *in, int *out, int *totals) {
    __shared__ int warps[32];
    int i = blockIdx_x * blockDim_x + threadIdx_x, lane = threadIdx_x % 32;
    int own = in[i], sum = own;
    for (int lanes = 1; lanes < 32; lanes *= 2) {
        int other = shuffle_up(sum, lanes);
        if (lane >= lanes)
            sum += other;
    }
    if (lane == 31)
        warps[threadIdx_x / 32] = sum;
    __syncthreads();
    int before = 0;
    for (int w = 0; w < threadIdx_x / 32; w++)
        before += warps[w];
    out[i] = before + sum - own;
    if (threadIdx_x == blockDim_x - 1)
        totals[blockIdx_x] = before + sum;
}
