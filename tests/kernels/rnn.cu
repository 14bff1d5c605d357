// A step of a recurrent layer: a warp takes one row of the weights, and all rows take the whole of
// the last state. `n` is a multiple of 256.
#include "cuda.h"

// Loads that are under way together: the model takes PTX in its order, where ptxas would look for
// such loads.
#define AHEAD 8

extern "C" __global__ void rnn(const float *weights, const float *in, const float *now, float *then,
                               int n) {
    int row = (blockIdx_x * blockDim_x + threadIdx_x) / 32, lane = threadIdx_x % 32;
    if (row >= n)
        return;
    float sum = 0;
    for (int k = lane; k < n; k += 32 * AHEAD) {
        float weight[AHEAD], state[AHEAD];
        for (int i = 0; i < AHEAD; i++) {
            weight[i] = weights[row * n + k + 32 * i];
            state[i] = now[k + 32 * i];
        }
        for (int i = 0; i < AHEAD; i++)
            sum += weight[i] * state[i];
    }
    for (int lanes = 16; lanes > 0; lanes /= 2)
        sum += shuffle_down(sum, lanes);
    if (lane == 0) {
        sum += in[row];
        then[row] = sum / (1 + (sum < 0 ? -sum : sum));
    }
}
