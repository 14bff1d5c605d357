// Sorts the elements of one CTA, bit by bit: zeros keep their order, ones go behind them.
#include "cuda.h"

extern "C" __global__ void radix_sort(unsigned *data) {
    __shared__ unsigned own[1024];
    __shared__ int ones[32];
    int t = threadIdx_x, lane = t % 32, warp = t / 32, n = blockDim_x;
    unsigned *mine = data + blockIdx_x * n;
    own[t] = mine[t];
    __syncthreads();
    for (int bit = 0; bit < 32; bit++) {
        unsigned value = own[t];
        bool one = value >> bit & 1;
        unsigned ballot = __nvvm_vote_ballot_sync(0xffffffff, one);
        if (lane == 0)
            ones[warp] = __builtin_popcount(ballot);
        __syncthreads();
        int before = __builtin_popcount(ballot & ((1u << lane) - 1)), all = 0;
        for (int w = 0; w < n / 32; w++) {
            if (w < warp)
                before += ones[w];
            all += ones[w];
        }
        own[one ? n - all + before : t - before] = value;
        __syncthreads();
    }
    mine[t] = own[t];
}
