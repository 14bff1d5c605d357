// A lit, textured model.
#include "shader.h"

struct Uniforms {
    float matrix[16];
    float light[3];
    float ambient;
    float tint[4];
};

// Inputs: position, normal, texture coordinates.
extern "C" __global__ void lit_vertex(const Uniforms *uniforms) {
    place(uniforms->matrix, __input(0), __input(1), __input(2));
    for (int i = 0; i < 5; i++) {
        __output(4 + i, __input(3 + i));
    }
}

extern "C" __global__ void lit_fragment(const Uniforms *uniforms) {
    Vector normal = normalized({__input(0), __input(1), __input(2)});
    Vector light = {uniforms->light[0], uniforms->light[1], uniforms->light[2]};
    float bright = uniforms->ambient + (1.0f - uniforms->ambient) * clamped(dot(normal, light));
    unsigned color = __texture(0, __input(3), __input(4), 0.0f);
    for (int i = 0; i < 3; i++) {
        __output(i, channel(color, i) * bright * uniforms->tint[i]);
    }
    __output(3, channel(color, 3) * uniforms->tint[3]);
}

// Checks of the texture's alpha: leaves, fences.
extern "C" __global__ void cut_fragment(const Uniforms *uniforms) {
    unsigned color = __texture(0, __input(3), __input(4), 0.0f);
    if (channel(color, 3) < 0.5f) {
        __discard();
    }
    for (int i = 0; i < 3; i++) {
        __output(i, channel(color, i) * uniforms->tint[i]);
    }
    __output(3, uniforms->tint[3]);
}
