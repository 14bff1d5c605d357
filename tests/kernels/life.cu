// A generation of the Game of Life on a torus, with the rules as branches.
#include "cuda.h"

extern "C" __global__ void life(const unsigned char *now, unsigned char *then, int width,
                                int height) {
    int x = blockIdx_x * blockDim_x + threadIdx_x;
    int y = blockIdx_y * __nvvm_read_ptx_sreg_ntid_y() + threadIdx_y;
    if (x >= width || y >= height)
        return;
    int alive = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy)
                alive += now[(y + dy + height) % height * width + (x + dx + width) % width];
    if (now[y * width + x]) {
        if (alive < 2 || alive > 3)
            then[y * width + x] = 0;
        else
            then[y * width + x] = 1;
    } else if (alive == 3) {
        then[y * width + x] = 1;
    } else {
        then[y * width + x] = 0;
    }
}
