// A floor that reflects what was drawn to another target.
#include "shader.h"

struct Uniforms {
    float matrix[16];
    float share;
    float tint[3];
};

// Inputs: position. Varyings: texture coordinates, and the place on the screen before its division.
extern "C" __global__ void floor_vertex(const Uniforms *uniforms) {
    float x = __input(0), y = __input(1), z = __input(2);
    const float *m = uniforms->matrix;
    float clip[4];
#pragma unroll
    for (int row = 0; row < 4; row++) {
        clip[row] = m[4 * row] * x + m[4 * row + 1] * y + m[4 * row + 2] * z + m[4 * row + 3];
        __output(row, clip[row]);
    }
    __output(4, 0.5f * x);
    __output(5, 0.5f * z);
    __output(6, clip[0]);
    __output(7, clip[1]);
    __output(8, clip[3]);
}

// Texture 0 is the floor's own, 1 the reflection.
extern "C" __global__ void floor_fragment(const Uniforms *uniforms) {
    float w = 2.0f * __input(4);
    unsigned seen = __texture(1, __input(2) / w + 0.5f, __input(3) / w + 0.5f, 0.0f);
    unsigned own = __texture(0, __input(0), __input(1), 0.0f);
    float share = uniforms->share * channel(seen, 3);
    for (int i = 0; i < 3; i++) {
        __output(i, channel(own, i) * uniforms->tint[i] * (1.0f - share) + channel(seen, i) * share);
    }
    __output(3, 1.0f);
}
