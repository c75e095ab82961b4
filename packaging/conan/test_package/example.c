#include <spvif.h>
#include <stdio.h>

int main(void) {
    spvif_module *module = NULL;
    spvif_error *error = NULL;
    spvif_status status = spvif_module_create("", 0, &module, &error);
    printf("version %u of the interface: %s\n", (unsigned)spvif_abi_version(), spvif_error_message(error));
    spvif_error_destroy(error);
    return status == SPVIF_STATUS_LOAD && spvif_abi_version() == SPVIF_ABI_VERSION ? 0 : 1;
}
