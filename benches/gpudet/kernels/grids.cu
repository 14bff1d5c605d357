// Stencils in tiles of 16 x 16 in shared memory, as Rodinia has them (HOTSP, SRAD). Cells beyond the border are the border's.
#include "cuda.h"

__device__ inline int clamped(int at, int side) { return at < 0 ? 0 : at < side ? at : side - 1; }

// A tile's border shrinks by a cell in each step.
extern "C" __global__ void hotspot_tiles(const float *from, const float *power, float *to, int side, int steps) {
    __shared__ float tile[16][16];
    int tx = threadIdx_x, ty = threadIdx_y, inner = 16 - 2 * steps;
    int x = blockIdx_x * inner + tx - steps, y = blockIdx_y * inner + ty - steps;
    int at = clamped(y, side) * side + clamped(x, side);
    bool is_inside = x >= 0 && x < side && y >= 0 && y < side;
    float own = from[at], heat = power[at];
    tile[ty][tx] = own;
    __syncthreads();
    for (int step = 1; step <= steps; step++) {
        bool is_right = is_inside && tx >= step && tx < 16 - step && ty >= step && ty < 16 - step;
        if (is_right) {
            float west = x > 0 ? tile[ty][tx - 1] : own, east = x < side - 1 ? tile[ty][tx + 1] : own;
            float north = y > 0 ? tile[ty - 1][tx] : own, south = y < side - 1 ? tile[ty + 1][tx] : own;
            own += 0.1f * (heat + west + east + north + south - 4 * own);
        }
        __syncthreads();
        if (is_right)
            tile[ty][tx] = own;
        __syncthreads();
    }
    if (is_inside && tx >= steps && tx < 16 - steps && ty >= steps && ty < 16 - steps)
        to[at] = own;
}

// Slopes are north, south, west, east: a plane each.
extern "C" __global__ void srad_coefficient_tiles(const float *image, float *coefficient, float *slopes, int side,
                                                  float q0) {
    __shared__ float tile[16][16];
    int tx = threadIdx_x, ty = threadIdx_y, x = blockIdx_x * 16 + tx, y = blockIdx_y * 16 + ty;
    int at = y * side + x, area = side * side;
    float own = image[at];
    float north = ty == 0 ? image[clamped(y - 1, side) * side + x] : 0;
    float south = ty == 15 ? image[clamped(y + 1, side) * side + x] : 0;
    float west = tx == 0 ? image[y * side + clamped(x - 1, side)] : 0;
    float east = tx == 15 ? image[y * side + clamped(x + 1, side)] : 0;
    tile[ty][tx] = own;
    __syncthreads();
    north = (ty == 0 ? north : tile[ty - 1][tx]) - own;
    south = (ty == 15 ? south : tile[ty + 1][tx]) - own;
    west = (tx == 0 ? west : tile[ty][tx - 1]) - own;
    east = (tx == 15 ? east : tile[ty][tx + 1]) - own;
    float squares = (north * north + south * south + west * west + east * east) / (own * own);
    float sum = (north + south + west + east) / own, slope = 1 + 0.25f * sum;
    float q = (0.5f * squares - 0.0625f * sum * sum) / (slope * slope);
    float c = 1 / (1 + (q - q0) / (q0 * (1 + q0)));
    __syncthreads();
    coefficient[at] = c < 0 ? 0 : c > 1 ? 1 : c;
    slopes[at] = north;
    slopes[area + at] = south;
    slopes[2 * area + at] = west;
    slopes[3 * area + at] = east;
}

extern "C" __global__ void srad_update_tiles(float *image, const float *coefficient, const float *slopes, int side) {
    __shared__ float tile[16][16];
    int tx = threadIdx_x, ty = threadIdx_y, x = blockIdx_x * 16 + tx, y = blockIdx_y * 16 + ty;
    int at = y * side + x, area = side * side;
    float own = coefficient[at];
    float below = ty == 15 ? coefficient[clamped(y + 1, side) * side + x] : 0;
    float right = tx == 15 ? coefficient[y * side + clamped(x + 1, side)] : 0;
    tile[ty][tx] = own;
    __syncthreads();
    below = ty == 15 ? below : tile[ty + 1][tx];
    right = tx == 15 ? right : tile[ty][tx + 1];
    float north = slopes[at], south = slopes[area + at], west = slopes[2 * area + at], east = slopes[3 * area + at];
    __syncthreads();
    image[at] += 0.125f * (own * (north + west) + below * south + right * east);
}
