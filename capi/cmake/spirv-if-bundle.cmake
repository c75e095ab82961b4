# spirv_if_bundle(TARGET [SOURCES FILE...] [MANIFEST FILE] [SOLID] [READY] [TRIM] [STRIP] [LOWER FEATURE...] [UNCOMPRESSED] [QUESTIONS FILE.h] [EMBED C|INCBIN] [VALIDATE])
#
# Makes a bundle of shaders when TARGET is built, again only if a source, the manifest or the program changed. Sources are what `spirv-if bundle`
# takes: modules, folders, files with modules inside. With VALIDATE, the build fails where spirv-val refuses one.
#
# READY decides conditions, so that bundle/c/spvb.c loads modules for devices; TRIM, STRIP, LOWER and QUESTIONS are for that, as the options of `spirv-if
# bundle`. LOWER without features stands for all that can be lowered.
#
# Without EMBED, the bundle is the file TARGET.spvb in the binary folder, which the property SPIRV_IF_BUNDLE of the target names. With EMBED, TARGET is a
# library to link to, and programs include the header TARGET.h, which has the bundle as `const uint32_t TARGET[]`, and its size in bytes as TARGET_size. C
# puts all numbers into the header; INCBIN has an assembler include the file, and needs the language ASM in the project.
function(spirv_if_bundle target)
    cmake_parse_arguments(PARSE_ARGV 1 own "SOLID;READY;TRIM;STRIP;UNCOMPRESSED;VALIDATE" "MANIFEST;EMBED;QUESTIONS" "SOURCES;LOWER")
    if(own_UNPARSED_ARGUMENTS OR NOT (own_SOURCES OR own_MANIFEST))
        message(FATAL_ERROR "spirv_if_bundle(${target}): needs SOURCES or MANIFEST, and does not know: ${own_UNPARSED_ARGUMENTS}")
    endif()
    if(own_EMBED AND NOT own_EMBED MATCHES "^(C|INCBIN)$")
        message(FATAL_ERROR "spirv_if_bundle(${target}): EMBED is C or INCBIN, and not ${own_EMBED}")
    endif()
    spirv_if_find_program("spirv_if_bundle(${target})" program built)

    set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}-bundle")
    file(MAKE_DIRECTORY "${folder}")
    string(MAKE_C_IDENTIFIER "${target}" symbol)
    set(result "${CMAKE_CURRENT_BINARY_DIR}/${target}.spvb")
    set(beside "")
    set(arguments "")
    if(own_EMBED STREQUAL "C")
        set(result "${folder}/${target}.h")
        list(APPEND arguments --embed c --embed-name "${symbol}")
    elseif(own_EMBED)
        get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
        if(NOT "ASM" IN_LIST languages)
            message(FATAL_ERROR "spirv_if_bundle(${target}): EMBED INCBIN needs the language ASM: project(... LANGUAGES C ASM)")
        endif()
        set(result "${folder}/${target}.S")
        set(beside "${folder}/${target}.spvb" "${folder}/${target}.h")
        list(APPEND arguments --embed incbin --embed-name "${symbol}")
    endif()
    if(own_VALIDATE)
        list(APPEND arguments --validate)
    endif()
    foreach(option IN ITEMS SOLID READY TRIM STRIP UNCOMPRESSED)
        if(own_${option})
            string(TOLOWER "--${option}" option)
            list(APPEND arguments "${option}")
        endif()
    endforeach()
    spirv_if_lower_option("${own_LOWER}" "${own_KEYWORDS_MISSING_VALUES}" lower)
    list(APPEND arguments ${lower})
    if(own_QUESTIONS)
        get_filename_component(questions "${own_QUESTIONS}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
        list(APPEND arguments --questions "${questions}")
        list(APPEND beside "${questions}")
    endif()
    set(sources "")
    foreach(source IN LISTS own_SOURCES)
        get_filename_component(source "${source}" ABSOLUTE)
        list(APPEND sources "${source}")
    endforeach()
    set(inputs ${sources})
    if(own_MANIFEST)
        get_filename_component(manifest "${own_MANIFEST}" ABSOLUTE)
        list(APPEND arguments --manifest "${manifest}")
        list(APPEND inputs "${manifest}")
    endif()

    # The depfile has the modules of folders and of the manifest.
    add_custom_command(OUTPUT "${result}" BYPRODUCTS ${beside}
        COMMAND "${program}" bundle -q ${sources} -o "${result}" ${arguments} --depfile "${folder}.d"
        DEPENDS ${inputs} "${program}" ${built} DEPFILE "${folder}.d"
        COMMENT "Bundling ${target}" VERBATIM)
    if(own_EMBED STREQUAL "INCBIN")
        add_library(${target} STATIC "${result}")
        # An assembler does not say which files it includes.
        set_source_files_properties("${result}" PROPERTIES OBJECT_DEPENDS "${beside}")
        set_target_properties(${target} PROPERTIES LINKER_LANGUAGE ASM)
        target_include_directories(${target} INTERFACE "${folder}")
    elseif(own_EMBED)
        add_custom_target(${target}-bundle DEPENDS "${result}")
        add_library(${target} INTERFACE)
        add_dependencies(${target} ${target}-bundle)
        target_include_directories(${target} INTERFACE "${folder}")
    else()
        add_custom_target(${target} ALL DEPENDS "${result}")
        set_target_properties(${target} PROPERTIES SPIRV_IF_BUNDLE "${result}")
    endif()
endfunction()
