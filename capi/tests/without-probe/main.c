/* Without the feature `probe`, the functions that ask drivers are there, and say so. */
#include "common.h"

int main(void) {
    spvif_device *device = NULL;
    FAILS(SPVIF_STATUS_UNSUPPORTED, spvif_device_from_vulkan(NULL, NULL, 0, NULL, NULL, &device, &error))
    CHECK(strstr(spvif_error_message(error), "`probe`") && device == NULL);
    FREED
    FAILS(SPVIF_STATUS_UNSUPPORTED, spvif_device_from_opencl(NULL, NULL, NULL, &device, &error))
    CHECK(strstr(spvif_error_message(error), "`probe`") && device == NULL);
    FREED
    puts("no driver is asked");
    return 0;
}
