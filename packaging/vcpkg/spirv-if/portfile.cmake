# From the checkout that this port is in. Cargo builds one configuration, which is for programs of any.
set(VCPKG_BUILD_TYPE release)
# Both libraries are installed: spirv-if::spirv-if and spirv-if::static.
set(VCPKG_POLICY_DLLS_IN_STATIC_LIBRARY enabled)

get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../.." ABSOLUTE)
vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS
    FEATURES
        lean SPIRV_IF_LEAN
        probe SPIRV_IF_PROBE
        program SPIRV_IF_BUILD_PROGRAM
)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}/capi" OPTIONS ${FEATURE_OPTIONS})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME spirv-if CONFIG_PATH lib/cmake/spirv-if)
vcpkg_fixup_pkgconfig()
if("program" IN_LIST FEATURES)
    vcpkg_copy_tools(TOOL_NAMES spirv-if AUTO_CLEAN)
endif()
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE-MIT" "${SOURCE_PATH}/LICENSE-APACHE")
file(INSTALL "${CURRENT_PORT_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
