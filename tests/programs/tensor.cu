// A product of matrices of half precision, a tile of 16 x 16 to a warp, with clang's builtins of wmma.
#include "../kernels/cuda.h"

extern "C" __global__ void multiply(const int *a, const int *b, float *c, int n) {
    int row = blockIdx_y * 16, column = blockIdx_x * 16;
    float sum[8] = {};
    for (int k = 0; k < n; k += 16) {
        int of_a[8], of_b[8];
        __hmma_m16n16k16_ld_a(of_a, a + (row * n + k) / 2, n, 0);
        __hmma_m16n16k16_ld_b(of_b, b + (k * n + column) / 2, n, 0);
        __hmma_m16n16k16_mma_f32f32(sum, of_a, of_b, sum, 0, 0);
    }
    __hmma_m16n16k16_st_c_f32(c + row * n + column, sum, n, 0);
}
