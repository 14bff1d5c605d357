// The discrete cosine transform of blocks of 8 x 8: C * block * C', one CTA for each.
#include "cuda.h"

#define SIDE 8

extern "C" __global__ void dct(const float *in, float *out, const float *cosines, int width) {
    __shared__ float half[SIDE][SIDE];
    int x = threadIdx_x, y = threadIdx_y;
    const float *block = in + blockIdx_y * SIDE * width + blockIdx_x * SIDE;
    float sum = 0;
    for (int k = 0; k < SIDE; k++)
        sum += cosines[y * SIDE + k] * block[k * width + x];
    half[y][x] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < SIDE; k++)
        sum += half[y][k] * cosines[x * SIDE + k];
    out[(blockIdx_y * SIDE + y) * width + blockIdx_x * SIDE + x] = sum;
}
