#include <spvif.h>

int main(void) { return spvif_abi_version() == SPVIF_ABI_VERSION ? 0 : 1; }
