/* Pointers to functions of Vulkan and OpenCL have the calling convention of their headers. Compiled only, for 32-bit Windows. */
#include <spvif.h>

typedef void(__stdcall *function)(void);

static function __stdcall get_instance_proc_addr(void *instance, const char *name) {
    (void)instance, (void)name;
    return 0;
}

static int32_t __stdcall get_device_info(void *device, uint32_t query, size_t size, void *value, size_t *size_of_answer) {
    (void)device, (void)query, (void)size, (void)value, (void)size_of_answer;
    return 0;
}

spvif_void_function any = (function)0;
spvif_vulkan_get_instance_proc_addr vulkan = get_instance_proc_addr;
spvif_opencl_get_info opencl = get_device_info;
