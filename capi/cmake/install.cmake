# Installs the libraries, the headers, the program and the package of CMake and of pkg-config, and builds them all for it.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(SPIRV_IF_IMPORT_LIBRARY "")
if(WIN32)
    set(SPIRV_IF_SHARED ${CMAKE_INSTALL_BINDIR}/spvif.dll)
    set(SPIRV_IF_STATIC ${CMAKE_INSTALL_LIBDIR}/spvif_static.lib)
    set(SPIRV_IF_IMPORT_LIBRARY ${CMAKE_INSTALL_LIBDIR}/spvif.lib)
    install(FILES ${built_shared} DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(FILES ${built}/spvif.dll.lib DESTINATION ${CMAKE_INSTALL_LIBDIR} RENAME spvif.lib)
    install(FILES ${built_static} DESTINATION ${CMAKE_INSTALL_LIBDIR} RENAME spvif_static.lib)
else()
    if(APPLE)
        set(full libspvif.${abi_version}.${PROJECT_VERSION}.dylib)
    else()
        set(full libspvif.so.${abi_version}.${PROJECT_VERSION})
    endif()
    set(SPIRV_IF_SHARED ${CMAKE_INSTALL_LIBDIR}/${full})
    set(SPIRV_IF_STATIC ${CMAKE_INSTALL_LIBDIR}/libspvif.a)
    install(PROGRAMS ${built_shared} DESTINATION ${CMAKE_INSTALL_LIBDIR} RENAME ${full})
    install(FILES ${built_static} DESTINATION ${CMAKE_INSTALL_LIBDIR})
    # Programs find the library by the name for this version of the interface, linkers by the plain one.
    list(GET built_names 0 plain)
    foreach(link ${SPIRV_IF_SONAME} ${plain})
        set(own ${CMAKE_CURRENT_BINARY_DIR}/links/${link})
        file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/links)
        file(CREATE_LINK ${full} ${own} SYMBOLIC)
        install(FILES ${own} DESTINATION ${CMAKE_INSTALL_LIBDIR})
    endforeach()
endif()

install(FILES include/spvif.h include/spvif.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# The headers for conditional code in shaders and kernels.
install(DIRECTORY ../include/spirv_if DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

add_custom_target(spirv-if-everything ALL)
add_dependencies(spirv-if-everything spirv-if-libraries)
if(SPIRV_IF_BUILD_PROGRAM)
    # Cargo builds one after the other anyway.
    add_dependencies(spirv-if-program spirv-if-libraries)
    add_dependencies(spirv-if-everything spirv-if-program)
    install(PROGRAMS ${program} DESTINATION ${CMAKE_INSTALL_BINDIR})
    # The program writes its man pages and completions; one that is built for another system does not run here.
    if(UNIX AND NOT CMAKE_CROSSCOMPILING)
        set(shell ${CMAKE_CURRENT_BINARY_DIR}/shell)
        file(MAKE_DIRECTORY ${shell})
        add_custom_target(spirv-if-shell
            COMMAND ${program} man ${shell}/man1
            COMMAND ${program} completions bash >${shell}/spirv-if
            COMMAND ${program} completions fish >${shell}/spirv-if.fish
            COMMAND ${program} completions zsh >${shell}/_spirv-if)
        add_dependencies(spirv-if-shell spirv-if-program)
        add_dependencies(spirv-if-everything spirv-if-shell)
        install(DIRECTORY ${shell}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
        install(FILES ${shell}/spirv-if DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
        install(FILES ${shell}/spirv-if.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
        install(FILES ${shell}/_spirv-if DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    endif()
endif()

install(FILES ../LICENSE-APACHE ../LICENSE-MIT ../CHANGELOG.md ../README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/spirv-if)
set(paths CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_BINDIR SPIRV_IF_SHARED SPIRV_IF_STATIC)
if(SPIRV_IF_IMPORT_LIBRARY)
    list(APPEND paths SPIRV_IF_IMPORT_LIBRARY)
endif()
configure_package_config_file(cmake/spirv-if-config.cmake.in spirv-if-config.cmake INSTALL_DESTINATION ${package}
    PATH_VARS ${paths})
write_basic_package_version_file(spirv-if-config-version.cmake COMPATIBILITY SameMinorVersion)
# spirv_if_pack refuses sources with these names.
install(FILES cmake/spirv-if-common.cmake cmake/spirv-if-bundle.cmake cmake/spirv-if-pack.cmake ../cli/reserved-names.csv ${CMAKE_CURRENT_BINARY_DIR}/spirv-if-config.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/spirv-if-config-version.cmake DESTINATION ${package})

set(static_libraries "")
foreach(library ${SPIRV_IF_STATIC_LIBRARIES})
    string(APPEND static_libraries " -l${library}")
endforeach()
# What is installed may be moved, and installed with another prefix, unless the folder of libraries is absolute.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    set(pc_prefix "${CMAKE_INSTALL_PREFIX}")
else()
    file(RELATIVE_PATH up "${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
    string(REGEX REPLACE "/$" "" up "${up}")
    set(pc_prefix "\${pcfiledir}/${up}")
endif()
foreach(folder LIBDIR INCLUDEDIR)
    set(pc_${folder} "${CMAKE_INSTALL_${folder}}")
    if(NOT IS_ABSOLUTE "${pc_${folder}}")
        string(PREPEND pc_${folder} "\${prefix}/")
    endif()
endforeach()
configure_file(cmake/spirv-if.pc.in spirv-if.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/spirv-if.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
