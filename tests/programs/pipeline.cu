// A matrix product in tiles: two stages of asynchronous copies in shared memory.
#include "../kernels/cuda.h"

#define TILE 16

__device__ inline void copy(float *to, const float *from) {
    unsigned at = (unsigned)(unsigned long long)(__attribute__((address_space(3))) float *)to;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(from));
}
__device__ inline void commit() { asm volatile("cp.async.commit_group;"); }
template <int LEFT> __device__ inline void wait() { asm volatile("cp.async.wait_group %0;" ::"n"(LEFT)); }

extern "C" __global__ void multiply(const float *a, const float *b, float *c, int n) {
    __shared__ float as[2][TILE][TILE], bs[2][TILE][TILE];
    int x = threadIdx_x, y = threadIdx_y;
    int column = blockIdx_x * TILE + x, row = blockIdx_y * TILE + y;
    auto fetch = [&](int tile) {
        copy(&as[tile % 2][y][x], &a[row * n + tile * TILE + x]);
        copy(&bs[tile % 2][y][x], &b[(tile * TILE + y) * n + column]);
        commit();
    };
    float sum = 0;
    fetch(0);
    for (int tile = 0; tile < n / TILE; tile++) {
        if (tile + 1 < n / TILE) {
            fetch(tile + 1);
            wait<1>();
        } else {
            wait<0>();
        }
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += as[tile % 2][y][k] * bs[tile % 2][k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
