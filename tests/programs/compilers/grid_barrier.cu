// All CTAs of the grid meet: each reads what another one has written.
#include <cooperative_groups.h>

extern "C" __global__ void grid_barrier(int *numbers, int *out, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    numbers[i] = 3 * i;
    cooperative_groups::this_grid().sync();
    out[i] = numbers[count - 1 - i];
}
