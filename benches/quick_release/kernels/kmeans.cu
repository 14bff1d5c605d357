// The nearest centre of each point; the features of all points lie one behind the other. The host moves the centres.
#include "cuda.h"

extern "C" __global__ void kmeans(const float *features, const float *centres, int *nearest,
                                  int points, int dimensions, int clusters) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i >= points)
        return;
    float least = 3.4e38f;
    int best = 0;
    for (int c = 0; c < clusters; c++) {
        float distance = 0;
        for (int d = 0; d < dimensions; d++) {
            float apart = features[d * points + i] - centres[c * dimensions + d];
            distance += apart * apart;
        }
        if (distance < least) {
            least = distance;
            best = c;
        }
    }
    nearest[i] = best;
}
