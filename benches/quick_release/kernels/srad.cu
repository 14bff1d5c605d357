// Speckle-reducing anisotropic diffusion, as Rodinia's: gradients and coefficient of each pixel, then its change.
#include "cuda.h"

extern "C" __global__ void srad_coefficient(const float *image, float *coefficient, float *north,
                                            float *south, float *west, float *east, int width,
                                            int height, float q0) {
    int x = blockIdx_x * blockDim_x + threadIdx_x, y = blockIdx_y * blockDim_y + threadIdx_y;
    int at = y * width + x;
    float own = image[at];
    float n = (y > 0 ? image[at - width] : own) - own;
    float s = (y < height - 1 ? image[at + width] : own) - own;
    float w = (x > 0 ? image[at - 1] : own) - own, e = (x < width - 1 ? image[at + 1] : own) - own;
    float squares = (n * n + s * s + w * w + e * e) / (own * own), sum = (n + s + w + e) / own;
    float slope = 1 + 0.25f * sum;
    float q = (0.5f * squares - 0.0625f * sum * sum) / (slope * slope);
    float c = 1 / (1 + (q - q0) / (q0 * (1 + q0)));
    coefficient[at] = c < 0 ? 0 : c > 1 ? 1 : c;
    north[at] = n;
    south[at] = s;
    west[at] = w;
    east[at] = e;
}

extern "C" __global__ void srad_update(float *image, const float *coefficient, const float *north,
                                       const float *south, const float *west, const float *east,
                                       int width, int height) {
    int x = blockIdx_x * blockDim_x + threadIdx_x, y = blockIdx_y * blockDim_y + threadIdx_y;
    int at = y * width + x;
    float own = coefficient[at];
    float below = y < height - 1 ? coefficient[at + width] : own;
    float right = x < width - 1 ? coefficient[at + 1] : own;
    float spread = own * north[at] + below * south[at] + own * west[at] + right * east[at];
    image[at] += 0.125f * spread;
}
