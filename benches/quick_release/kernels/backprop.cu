// Back-propagation after Rodinia: a layer of inputs and one of 16 hidden units. A row of weights has 17, the first
// of which is not used here, so rows share lines.
#include "cuda.h"

#define HIDDEN 16
#define PITCH (HIDDEN + 1)

// Sums of 16 inputs each, of every hidden unit.
extern "C" __global__ void backprop_forward(const float *input, const float *weights,
                                            float *partial) {
    __shared__ float products[HIDDEN][HIDDEN];
    int x = threadIdx_x, y = threadIdx_y, row = blockIdx_x * HIDDEN + y;
    products[y][x] = input[row] * weights[row * PITCH + x + 1];
    __syncthreads();
    for (int half = HIDDEN / 2; half > 0; half /= 2) {
        if (y < half)
            products[y][x] += products[y + half][x];
        __syncthreads();
    }
    if (y == 0)
        partial[blockIdx_x * HIDDEN + x] = products[0][x];
}

extern "C" __global__ void backprop_adjust(const float *input, const float *delta, float *weights,
                                           float *last) {
    int x = threadIdx_x, row = blockIdx_x * HIDDEN + threadIdx_y, at = row * PITCH + x + 1;
    float change = 0.3f * delta[x] * input[row] + 0.3f * last[at];
    weights[at] += change;
    last[at] = change;
}
