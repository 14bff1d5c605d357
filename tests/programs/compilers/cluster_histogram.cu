// How often the squares of numbers leave each remainder: a histogram in the shared memory of a cluster, as CUDA's programming
// guide has it.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void histogram(unsigned *bins, int per_block, const unsigned *values, int count) {
    extern __shared__ unsigned own[];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned all = cluster.num_blocks() * per_block;
    for (int bin = threadIdx.x; bin < per_block; bin += blockDim.x) own[bin] = 0;
    // All blocks have begun, and their bins are zero.
    cluster.sync();
    for (int at = cg::this_grid().thread_rank(); at < count; at += cg::this_grid().size()) {
        const unsigned bin = values[at] * values[at] % all;
        atomicAdd(cluster.map_shared_rank(own, bin / per_block) + bin % per_block, 1);
    }
    // No block ends while others add to its bins.
    cluster.sync();
    for (int bin = threadIdx.x; bin < per_block; bin += blockDim.x)
        atomicAdd(bins + cluster.block_rank() * per_block + bin, own[bin]);
}
