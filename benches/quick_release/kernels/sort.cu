// A radix sort by one byte, in three steps as the paper describes: count each byte; find, by a walk through the list,
// the element of each position; move.
#include "cuda.h"

extern "C" __global__ void sort_count(const unsigned *in, int *counts, int n, int shift) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i < n)
        atomic_add(&counts[in[i] >> shift & 255], 1);
}

extern "C" __global__ void sort_find(const unsigned *in, const int *counts, int *position, int n,
                                     int shift) {
    int left = blockIdx_x * blockDim_x + threadIdx_x;
    if (left >= n)
        return;
    int *own = position + left, byte = 0;
    while (left >= counts[byte])
        left -= counts[byte++];
    for (int i = 0; i < n; i++)
        if ((in[i] >> shift & 255) == byte && left-- == 0)
            *own = i;
}

extern "C" __global__ void sort_move(const unsigned *in, unsigned *out, const int *position,
                                     int *counts, int n) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i < n)
        out[i] = in[position[i]];
    if (i < 256)
        counts[i] = 0;
}
