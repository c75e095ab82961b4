# What the functions of this package share.

# spirv_if_find_program(CALLER PROGRAM BUILT): sets PROGRAM to the program spirv-if, and BUILT to the target that builds it, if there is one.
function(spirv_if_find_program caller program_variable built_variable)
    # A part of another project builds the program, unless that names another.
    set(program "${SPIRV_IF_PROGRAM}")
    set(built "")
    if(NOT program AND TARGET spirv-if-program)
        get_target_property(program spirv-if::program IMPORTED_LOCATION)
        set(built spirv-if-program)
    elseif(NOT program)
        find_program(SPIRV_IF_PROGRAM spirv-if HINTS ${SPIRV_IF_BINARY_DIR} DOC "The program spirv-if")
        set(program "${SPIRV_IF_PROGRAM}")
    endif()
    if(NOT program)
        message(FATAL_ERROR "${caller}: found no program spirv-if; name it with SPIRV_IF_PROGRAM")
    endif()
    set(${program_variable} "${program}" PARENT_SCOPE)
    set(${built_variable} "${built}" PARENT_SCOPE)
endfunction()

# spirv_if_lower_option(FEATURES MISSING RESULT): sets RESULT to the option of the program for LOWER with these features, or without any if LOWER is among the
# keywords without values; else to nothing.
function(spirv_if_lower_option features missing result_variable)
    set(${result_variable} "" PARENT_SCOPE)
    if(features)
        list(JOIN features "," features)
        set(${result_variable} "--lower=${features}" PARENT_SCOPE)
    elseif("LOWER" IN_LIST missing)
        set(${result_variable} "--lower" PARENT_SCOPE)
    endif()
endfunction()

# spirv_if_compile_glsl(CALLER SOURCE MODULE OPTIONS RESULT): sets RESULT to MODULE, which is compiled from SOURCE when it is needed, if that is GLSL; else
# to SOURCE.
function(spirv_if_compile_glsl caller source module options result_variable)
    set(${result_variable} "${source}" PARENT_SCOPE)
    if(NOT source MATCHES "\\.(vert|tesc|tese|geom|frag|comp|mesh|task|rgen|rint|rahit|rchit|rmiss|rcall)$")
        return()
    endif()
    find_program(SPIRV_IF_GLSL_COMPILER NAMES glslangValidator glslang glslc HINTS "$ENV{VULKAN_SDK}/bin" DOC "A compiler of GLSL: glslang or glslc")
    if(NOT SPIRV_IF_GLSL_COMPILER)
        message(FATAL_ERROR "${caller}: found no compiler for ${source}: install glslang or glslc, or name one with SPIRV_IF_GLSL_COMPILER")
    endif()
    get_filename_component(folder "${module}" DIRECTORY)
    file(MAKE_DIRECTORY "${folder}")
    get_filename_component(compiler "${SPIRV_IF_GLSL_COMPILER}" NAME_WE)
    if(compiler STREQUAL "glslc")
        set(arguments --target-env=vulkan1.1 -MD -MF "${module}.d")
    else()
        set(arguments --quiet -V --target-env vulkan1.1 --depfile "${module}.d")
    endif()
    add_custom_command(OUTPUT "${module}"
        COMMAND "${SPIRV_IF_GLSL_COMPILER}" ${arguments} "-I${SPIRV_IF_INCLUDE_DIR}" ${options} -o "${module}" "${source}"
        DEPENDS "${source}" DEPFILE "${module}.d"
        COMMENT "Compiling ${source}" VERBATIM)
    set(${result_variable} "${module}" PARENT_SCOPE)
endfunction()
