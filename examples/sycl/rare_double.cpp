// A kernel that computes with floats, and with doubles where the sum of a row would lose too much: a rare case, for which many GPUs of Intel do not
// load the whole kernel. `pack --lower=Float64` makes one module for all of them (docs/lowering.md).
#include <sycl/sycl.hpp>

using sycl::ext::oneapi::experimental::nd_range_kernel;
using sycl::ext::oneapi::this_work_item::get_nd_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((nd_range_kernel<1>)) void
sum_rows(const float *values, float *sums, unsigned columns) {
    size_t row = get_nd_item<1>().get_global_id(0);
    const float *mine = values + row * columns;
    float sum = 0, greatest = 0;
    for (unsigned at = 0; at < columns; ++at) {
        sum += mine[at];
        greatest = sycl::fmax(greatest, sycl::fabs(mine[at]));
    }
    if (greatest > 1e6f * sycl::fabs(sum)) {
        double exact = 0;
        for (unsigned at = 0; at < columns; ++at) {
            exact += mine[at];
        }
        sum = float(exact);
    }
    sums[row] = sum;
}
