// Functions that shaders have besides CUDA's, recognised by their names.
#pragma once
#include "../kernels/cuda.h"

// Attribute of a vertex, or varying of a fragment.
extern "C" __device__ __attribute__((const)) float __input(int number);
// A vertex's outputs 0 to 3 are its position in clip space, the others its varyings; a fragment's are red, green,
// blue and alpha.
extern "C" __device__ void __output(int number, float value);
// The fragment is not drawn. It goes on as a helper of its quad.
extern "C" __device__ __attribute__((convergent)) void __discard();
// A colour: red in the lowest byte. The level is that of the quad's first pixel, and the bias more; for vertices it is
// the bias.
extern "C" __device__ __attribute__((convergent)) unsigned __texture(int unit, float u, float v, float bias);

struct Vector {
    float x, y, z;
};

__device__ inline float channel(unsigned color, int number) { return (color >> 8 * number & 255) * (1.0f / 255.0f); }
__device__ inline float clamped(float value) { return __nvvm_fmax_f(0.0f, __nvvm_fmin_f(value, 1.0f)); }
__device__ inline float dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline Vector normalized(Vector a) {
    float scale = __nvvm_rsqrt_approx_f(dot(a, a));
    return {a.x * scale, a.y * scale, a.z * scale};
}

// Differences between neighbours in the quad: across and down.
__device__ inline float quad(float value, int pixel) {
    return __nvvm_shfl_sync_idx_f32(0xffffffff, value, pixel, 0x1c1f);
}
__device__ inline float across(float value) { return quad(value, 1) - quad(value, 0); }
__device__ inline float down(float value) { return quad(value, 2) - quad(value, 0); }

// A vertex's position through a matrix, by rows.
__device__ inline void place(const float *matrix, float x, float y, float z) {
#pragma unroll
    for (int row = 0; row < 4; row++) {
        const float *m = matrix + 4 * row;
        __output(row, m[0] * x + m[1] * y + m[2] * z + m[3]);
    }
}
