/* Does not link: the lean library does not pack. */
#include <spvif.h>

int main(void) { return spvif_pack(0, 0, 0, 0); }
