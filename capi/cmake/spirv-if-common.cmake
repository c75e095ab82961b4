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
