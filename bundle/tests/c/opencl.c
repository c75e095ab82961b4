/* Writes the results of a bundle's ready shaders for the first OpenCL device, as vulkan.c beside it does for Vulkan: `opencl app.spvb FOLDER`. */
#define CL_TARGET_OPENCL_VERSION 300
#include <spvb_opencl.h>
#include "results.h"

int main(int count, char **arguments)
{
    static uint8_t bytes[1 << 24];
    size_t size = read_bundle(count, arguments, bytes, sizeof bytes);
    if (!size) return 2;
    cl_platform_id platform;
    cl_device_id device;
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS) return 3;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) return 3;
    const spvb_bundle *bundle;
    if (spvb_open(bytes, size, &bundle) != SPVB_OK) return 4;
    uint8_t *answers = malloc(spvb_question_count(bundle) + 1);
    if (spvb_opencl_answer_all(bundle, device, answers) != SPVB_OK) return 5;
    if (!write_results(bundle, answers, arguments[2])) return 6;
    spvb_close(bundle);
    return 0;
}
