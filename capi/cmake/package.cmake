# Archives and Debian packages of what is installed, by `cpack` in the folder of the build.
string(TOLOWER "${PROJECT_NAME}-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}" CPACK_PACKAGE_FILE_NAME)
set(CPACK_PACKAGE_NAME spirv-if)
set(CPACK_PACKAGE_VENDOR "the spirv-if authors")
set(CPACK_PACKAGE_CONTACT "the spirv-if authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "One SPIR-V module for every device")
set(CPACK_PACKAGE_DESCRIPTION "Packs shader code that is conditional on device features, and cuts it down for the device at hand.
The program spirv-if, with libraries for C and C++.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# The libraries that programs load, as dpkg-shlibdeps finds them.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
include(CPack)
