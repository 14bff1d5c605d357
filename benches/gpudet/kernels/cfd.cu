// A solver of the Euler equations on an unstructured grid (as CFD): each cell has density, momentum along two axes and
// energy, and three neighbours with the normals of its sides. Cells without a neighbour at a side name themselves.
#include "cuda.h"

struct Cell {
    float density, x, y, energy;
};

// Square roots are of the hardware, as with -use_fast_math.
__device__ inline float root(float value) { return __nvvm_sqrt_approx_f(value); }

__device__ inline float pressure(Cell cell) {
    return 0.4f * (cell.energy - 0.5f * (cell.x * cell.x + cell.y * cell.y) / cell.density);
}

__device__ inline Cell load(const float *cells, int i, int n) {
    return {cells[i], cells[n + i], cells[2 * n + i], cells[3 * n + i]};
}

extern "C" __global__ void cfd_step_factor(const float *cells, const float *area, float *factor, int n) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i >= n)
        return;
    Cell own = load(cells, i, n);
    float speed = root(own.x * own.x + own.y * own.y) / own.density;
    float sound = root(1.4f * pressure(own) / own.density);
    factor[i] = 0.1f / (root(area[i]) * (speed + sound));
}

extern "C" __global__ void cfd_flux(const int *beside, const float *normals, const float *cells, float *flux, int n) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i >= n)
        return;
    Cell own = load(cells, i, n), sum = {0, 0, 0, 0};
    float own_pressure = pressure(own);
    for (int side = 0; side < 3; side++) {
        Cell other = load(cells, beside[side * n + i], n);
        float other_pressure = pressure(other);
        float nx = 0.5f * normals[2 * side * n + i], ny = 0.5f * normals[(2 * side + 1) * n + i];
        float own_flow = (own.x * nx + own.y * ny) / own.density;
        float other_flow = (other.x * nx + other.y * ny) / other.density;
        sum.density += own.density * own_flow + other.density * other_flow;
        sum.x += own.x * own_flow + other.x * other_flow + (own_pressure + other_pressure) * nx;
        sum.y += own.y * own_flow + other.y * other_flow + (own_pressure + other_pressure) * ny;
        sum.energy += (own.energy + own_pressure) * own_flow + (other.energy + other_pressure) * other_flow;
    }
    flux[i] = sum.density;
    flux[n + i] = sum.x;
    flux[2 * n + i] = sum.y;
    flux[3 * n + i] = sum.energy;
}

extern "C" __global__ void cfd_step(const float *factor, const float *flux, float *cells, int n) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i >= n)
        return;
    for (int k = 0; k < 4; k++)
        cells[k * n + i] -= factor[i] * flux[k * n + i];
}
