// A step of a 3D Laplace solver (LPS): a workgroup of 32 x 4 threads goes along z, with a plane in shared memory. The
// border keeps its values.
#include "cuda.h"

extern "C" __global__ void laplace(const float *from, float *to, int nx, int ny, int nz) {
    __shared__ float plane[6][34];
    int tx = threadIdx_x, ty = threadIdx_y;
    int x = blockIdx_x * 32 + tx, y = blockIdx_y * 4 + ty, area = nx * ny, at = y * nx + x;
    bool is_inner = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
    float below = 0, own = from[at], above = 0;
    for (int z = 0; z < nz; z++, at += area) {
        if (z < nz - 1)
            above = from[at + area];
        plane[ty + 1][tx + 1] = own;
        if (tx == 0 && x > 0)
            plane[ty + 1][0] = from[at - 1];
        if (tx == 31 && x < nx - 1)
            plane[ty + 1][33] = from[at + 1];
        if (ty == 0 && y > 0)
            plane[0][tx + 1] = from[at - nx];
        if (ty == 3 && y < ny - 1)
            plane[5][tx + 1] = from[at + nx];
        __syncthreads();
        float value = own;
        if (is_inner && z > 0 && z < nz - 1)
            value = (plane[ty + 1][tx] + plane[ty + 1][tx + 2] + plane[ty][tx + 1] + plane[ty + 2][tx + 1] + below +
                     above) * (1.0f / 6);
        to[at] = value;
        below = own;
        own = above;
        __syncthreads();
    }
}
