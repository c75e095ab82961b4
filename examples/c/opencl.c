/* Loads one packed module on every OpenCL device of this machine:
 *
 *   spirv-if pack fixtures/drivers/chain.spv -o target/chain.spv
 *   opencl target/chain.spv
 *
 * Its kernel has four ways to the values of polynomials at one half, for devices that have half floats and doubles, only one of them, or
 * neither (fixtures/drivers/chain.clcpp), and writes down which of them ran. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include "packed.h"

enum { POLYNOMIALS = 16, DEGREE = 8 };

static void opencl(cl_int code, const char *call) {
    if (code == CL_SUCCESS) return;
    fprintf(stderr, "%s: error %d\n", call, code);
    exit(1);
}
#define CL(call) opencl(call, #call)

/* Runs the kernel: the first result, and the way that led there. */
static float run(cl_device_id device, const uint32_t *words, size_t count, cl_uint *way) {
    cl_int code;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    opencl(code, "clCreateContext");
    cl_program program = clCreateProgramWithIL(context, words, 4 * count, &code);
    opencl(code, "clCreateProgramWithIL");
    CL(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "run", &code);
    opencl(code, "clCreateKernel");
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    opencl(code, "clCreateCommandQueueWithProperties");

    float coefficients[POLYNOMIALS * DEGREE], values[POLYNOMIALS];
    cl_uint ways[POLYNOMIALS], degree = DEGREE;
    for (int at = 0; at < POLYNOMIALS * DEGREE; ++at) coefficients[at] = 1.0f + 1.0f / (float)(at + 3);
    cl_mem buffers[3];
    buffers[0] = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof coefficients, coefficients, &code);
    opencl(code, "clCreateBuffer");
    buffers[1] = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof values, NULL, &code);
    opencl(code, "clCreateBuffer");
    buffers[2] = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof ways, NULL, &code);
    opencl(code, "clCreateBuffer");
    for (cl_uint at = 0; at < 3; ++at) CL(clSetKernelArg(kernel, at, sizeof(cl_mem), &buffers[at]));
    CL(clSetKernelArg(kernel, 3, sizeof degree, &degree));
    size_t items = POLYNOMIALS;
    CL(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    CL(clEnqueueReadBuffer(queue, buffers[1], CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    CL(clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, sizeof ways, ways, 0, NULL, NULL));
    for (int at = 0; at < 3; ++at) clReleaseMemObject(buffers[at]);
    clReleaseCommandQueue(queue);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseContext(context);
    *way = ways[0];
    return values[0];
}

int main(int count, char **arguments) {
    size_t size = 0;
    spvif_prepared *prepared = load(count > 1 ? arguments[1] : NULL, &size);
    cl_platform_id platforms[8];
    cl_uint platform_count = 0;
    CL(clGetPlatformIDs(8, platforms, &platform_count));
    for (cl_uint platform = 0; platform < platform_count && platform < 8; ++platform) {
        cl_device_id devices[8];
        cl_uint device_count = 0;
        CL(clGetDeviceIDs(platforms[platform], CL_DEVICE_TYPE_ALL, 8, devices, &device_count));
        for (cl_uint at = 0; at < device_count && at < 8; ++at) {
            /* This is all that an application has to do: the packed module is cut down to what the device can load. */
            spvif_error *error = NULL;
            spvif_device *device = NULL;
            spvif_result *result = NULL;
            spvif_opencl_get_info of_device = (spvif_opencl_get_info)clGetDeviceInfo;
            spvif_opencl_get_info of_platform = (spvif_opencl_get_info)clGetPlatformInfo;
            ours(spvif_device_from_opencl(of_device, of_platform, devices[at], &device, &error), &error);
            ours(spvif_specialize(prepared, device, NULL, &result, &error), &error);
            size_t words_count = 0;
            const uint32_t *words = spvif_result_words(result, &words_count);
            cl_uint way = 0;
            float value = run(devices[at], words, words_count, &way);
            const char *ways[] = {"nothing", "half floats and doubles", "doubles", "half floats", "floats"};
            printf("%s\n  %zu of %zu bytes stay\n", spvif_device_name(device), 4 * words_count, size);
            printf("  computed with %s: %.8g\n", ways[way < 5 ? way : 0], value);
            spvif_result_destroy(result);
            spvif_device_destroy(device);
        }
    }
    spvif_prepared_destroy(prepared);
    return 0;
}
