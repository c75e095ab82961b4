# spirv_if_pack(TARGET SOURCES FILE... [GLSL_OPTIONS OPTION...] [ANNOTATIONS FILE] [EMBED C|INCBIN] [LOWER FEATURE...] [REQUIRE_CONDITIONAL] [DENY CONDITION...] [VALIDATE] [OPTIONS OPTION...])
#
# Packs modules when TARGET is built, again only if a source, the annotations file or the program changed.
#
# Sources are modules, and GLSL by the extension of its stage (.comp, .frag and the like): glslang or glslc compiles it for Vulkan 1.1, without optimization, which
# would inline conditional functions. SPIRV_IF_GLSL_COMPILER names the compiler; GLSL_OPTIONS go to it.
#
# Without EMBED, TARGET makes a packed module for each source, with its file name, in the folder TARGET of the binary folder: the property
# SPIRV_IF_MODULES of the target lists them. With EMBED, TARGET is a library to link to, and programs include a header NAME.h for a source
# NAME.spv. It has the words as `const uint32_t NAME[]`, their size in bytes as NAME_size, and NAME_spec_CONSTANT as the SpecId of each specialization
# constant with a name. C puts all numbers into the header; INCBIN has an
# assembler include the file, which is for large modules and needs the language ASM in the project.
#
# With LOWER, devices without these features, such as Int64, get lowered twins of code that requires them; without names, these are all features that can be
# lowered.
#
# The build fails with REQUIRE_CONDITIONAL where nothing in a module becomes conditional, as where a compiler inlined it, and with DENY where a result
# requires a CONDITION on every device, such as 'cap(Float16)'. With VALIDATE, it fails where spirv-val refuses a result. OPTIONS are those of `spirv-if pack`, but for
# those that say what is read and written, and in which form. Sources of one TARGET have different names; with EMBED, none has a name that C or
# C++ has a meaning for, such as default.spv, or reserves, such as _Blur.spv.
function(spirv_if_pack target)
    cmake_parse_arguments(PARSE_ARGV 1 own "REQUIRE_CONDITIONAL;VALIDATE" "ANNOTATIONS;EMBED" "SOURCES;GLSL_OPTIONS;LOWER;DENY;OPTIONS")
    if(own_UNPARSED_ARGUMENTS OR NOT own_SOURCES)
        message(FATAL_ERROR "spirv_if_pack(${target}): needs SOURCES, and does not know: ${own_UNPARSED_ARGUMENTS}")
    endif()
    if(own_EMBED AND NOT own_EMBED MATCHES "^(C|INCBIN)$")
        message(FATAL_ERROR "spirv_if_pack(${target}): EMBED is C or INCBIN, and not ${own_EMBED}")
    endif()
    foreach(option IN LISTS own_OPTIONS)
        if(option MATCHES "^(-o.*|--(output|annotations|embed|embed-name|depfile)(=.*)?)$")
            message(FATAL_ERROR "spirv_if_pack(${target}): OPTIONS has ${option}, which is for the function to give: results are named for "
                "their sources, and ANNOTATIONS and EMBED are parameters")
        endif()
    endforeach()
    if("DENY" IN_LIST own_KEYWORDS_MISSING_VALUES)
        message(FATAL_ERROR "spirv_if_pack(${target}): DENY needs a condition, such as 'cap(Float16)'")
    endif()
    spirv_if_find_program("spirv_if_pack(${target})" program built)

    set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}")
    file(MAKE_DIRECTORY "${folder}")
    set(extension spv)
    set(arguments ${own_OPTIONS})
    spirv_if_lower_option("${own_LOWER}" "${own_KEYWORDS_MISSING_VALUES}" lower)
    list(APPEND arguments ${lower})
    if(own_REQUIRE_CONDITIONAL)
        list(APPEND arguments --require-conditional)
    endif()
    if(own_VALIDATE)
        list(APPEND arguments --validate)
    endif()
    # CMake makes several words of 'cap(Float16)'.
    set(condition "")
    foreach(word IN LISTS own_DENY)
        string(APPEND condition "${word}")
        if(NOT condition MATCHES "^'[^']*$")
            string(REGEX REPLACE "^'(.*)'$" "\\1" condition "${condition}")
            list(APPEND arguments --deny "${condition}")
            set(condition "")
        endif()
    endforeach()
    if(NOT condition STREQUAL "")
        message(FATAL_ERROR "spirv_if_pack(${target}): DENY has a quote without another: ${condition}")
    endif()
    if(own_EMBED STREQUAL "C")
        set(extension h)
        list(APPEND arguments --embed c)
    elseif(own_EMBED)
        get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
        if(NOT "ASM" IN_LIST languages)
            message(FATAL_ERROR "spirv_if_pack(${target}): EMBED INCBIN needs the language ASM: project(... LANGUAGES C ASM)")
        endif()
        set(extension S)
        list(APPEND arguments --embed incbin)
    endif()

    set(taken "")
    if(own_EMBED)
        # Beside this file when installed.
        find_file(SPIRV_IF_RESERVED_NAMES reserved-names.csv NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH
            PATHS "${CMAKE_CURRENT_FUNCTION_LIST_DIR}" "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../cli")
        mark_as_advanced(SPIRV_IF_RESERVED_NAMES)
        file(STRINGS "${SPIRV_IF_RESERVED_NAMES}" taken REGEX "^c,")
        list(TRANSFORM taken REPLACE "^c,([^,]*),.*$" "\\1")
    endif()
    set(sources "")
    set(results "")
    set(beside "")
    set(symbols "")
    foreach(source IN LISTS own_SOURCES)
        get_filename_component(source "${source}" ABSOLUTE)
        get_filename_component(name "${source}" NAME_WLE)
        set(symbol "${name}")
        if(own_EMBED)
            string(MAKE_C_IDENTIFIER "${name}" symbol)
            if(symbol IN_LIST taken)
                message(FATAL_ERROR "spirv_if_pack(${target}): EMBED cannot name words for ${source}: ${symbol} has a meaning in C or C++. "
                    "Rename the source")
            elseif(symbol MATCHES "^_([A-Z_]|$)")
                message(FATAL_ERROR "spirv_if_pack(${target}): EMBED cannot name words for ${source}: ${symbol} is reserved in C and C++. "
                    "Rename the source")
            elseif(own_EMBED STREQUAL "INCBIN" AND NOT name MATCHES "^[ -~]+$")
                # Of a letter with several bytes, CMake makes as many `_`, and the program one.
                message(FATAL_ERROR "spirv_if_pack(${target}): EMBED INCBIN cannot name words for ${source}: it has letters that are not of "
                    "ASCII. Rename the source")
            endif()
        endif()
        list(FIND symbols "${symbol}" other)
        if(NOT other EQUAL -1)
            list(GET sources ${other} other)
            message(FATAL_ERROR "spirv_if_pack(${target}): the results of ${other} and ${source} would have one name, ${symbol}: rename one "
                "of them, or pack it for a target of its own")
        endif()
        list(APPEND symbols "${symbol}")
        spirv_if_compile_glsl("spirv_if_pack(${target})" "${source}" "${folder}/modules/${name}.spv" "${own_GLSL_OPTIONS}" source)
        list(APPEND sources "${source}")
        list(APPEND results "${folder}/${name}.${extension}")
        list(APPEND beside "${folder}/${name}.prop")
        if(own_EMBED STREQUAL "INCBIN")
            list(APPEND beside "${folder}/${name}.spv" "${folder}/${name}.h")
        endif()
    endforeach()
    set(inputs ${sources})
    if(own_ANNOTATIONS)
        get_filename_component(annotations "${own_ANNOTATIONS}" ABSOLUTE)
        list(APPEND arguments --annotations "${annotations}")
        list(APPEND inputs "${annotations}")
    endif()

    # The depfile has what else was read, such as property sets beside a module.
    add_custom_command(OUTPUT ${results} BYPRODUCTS ${beside}
        COMMAND "${program}" pack -q ${sources} -o "${folder}/" ${arguments} --depfile "${folder}.d"
        DEPENDS ${inputs} "${program}" ${built} DEPFILE "${folder}.d"
        COMMENT "Packing ${target}" VERBATIM)
    if(own_EMBED STREQUAL "INCBIN")
        add_library(${target} STATIC ${results})
        # An assembler does not say which files it includes.
        set_source_files_properties(${results} PROPERTIES OBJECT_DEPENDS "${beside}")
        set_target_properties(${target} PROPERTIES LINKER_LANGUAGE ASM)
        target_include_directories(${target} INTERFACE "${folder}")
    elseif(own_EMBED)
        add_custom_target(${target}-modules DEPENDS ${results})
        add_library(${target} INTERFACE)
        add_dependencies(${target} ${target}-modules)
        target_include_directories(${target} INTERFACE "${folder}")
    else()
        add_custom_target(${target} ALL DEPENDS ${results})
        set_target_properties(${target} PROPERTIES SPIRV_IF_MODULES "${results}")
    endif()
endfunction()
