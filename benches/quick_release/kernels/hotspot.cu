// The temperature of a chip after one step, from that of the neighbours and the power of each cell.
#include "cuda.h"

extern "C" __global__ void hotspot(const float *from, const float *power, float *to, int width,
                                   int height) {
    int x = blockIdx_x * blockDim_x + threadIdx_x, y = blockIdx_y * blockDim_y + threadIdx_y;
    int at = y * width + x;
    float own = from[at];
    float west = x > 0 ? from[at - 1] : own, east = x < width - 1 ? from[at + 1] : own;
    float north = y > 0 ? from[at - width] : own, south = y < height - 1 ? from[at + width] : own;
    to[at] = own + 0.1f * (power[at] + west + east + north + south - 4 * own);
}
