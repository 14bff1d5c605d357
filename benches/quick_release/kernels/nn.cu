// The distance of each record, a latitude and a longitude, from a place.
#include "cuda.h"

struct alignas(8) Record {
    float latitude, longitude;
};

extern "C" __global__ void nn(const Record *records, float *distance, int n, float latitude,
                              float longitude) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i >= n)
        return;
    Record own = records[i];
    float north = own.latitude - latitude, east = own.longitude - longitude;
    distance[i] = __nvvm_sqrt_rn_f(north * north + east * east);
}
