// Several steps of a five-point stencil in one launch. CTAs wait for each other at a barrier of
// their own: each arrives by an atomic and spins until all have.
#include "cuda.h"

extern "C" __global__ void stencil(float *a, float *b, int *arrived, int width, int height,
                                   int steps) {
    int size = width * height;
    for (int step = 0; step < steps; step++) {
        float *from = step % 2 ? b : a, *to = step % 2 ? a : b;
        for (int i = blockIdx_x * blockDim_x + threadIdx_x; i < size; i += gridDim_x * blockDim_x) {
            int x = i % width, y = i / width;
            bool inner = x > 0 && y > 0 && x < width - 1 && y < height - 1;
            to[i] = inner ? 0.2f * (from[i] + from[i - 1] + from[i + 1] + from[i - width] +
                                    from[i + width])
                          : from[i];
        }
        __threadfence();
        __syncthreads();
        if (threadIdx_x == 0) {
            atomic_add(arrived, 1);
            while (atomic_add(arrived, 0) < (step + 1) * (int)gridDim_x)
                ;
            // What other CTAs have written before they arrived is to be seen from here on.
            __threadfence();
        }
        __syncthreads();
    }
}
