// Code for some devices only, in C++ for OpenCL and in SYCL device code.
//
//   spirv_if::if_device_has<aspect::fp64>([=] { ... })
//       .else_if_device_has<aspect::fp16>([=] { ... })
//       .else_if_architecture_is<architecture::intel_gpu_pvc>([=] { ... })
//       .otherwise([=] { ... });
//   spirv_if::if_device([=] { ... }).otherwise([=] { ... });    // or if_host
//
//   SPIRV_IF_DECISION(fast);                         // where declarations are: the name of a decision of the host
//   SPIRV_IF_EXTENSION(SPV_KHR_expect_assume);       // that of a SPIR-V extension
//   spirv_if::if_host_decides<fast>([=] { ... })
//       .else_if_device_accepts<SPV_KHR_expect_assume>([=] { ... })
//       .otherwise([=] { ... });
//
//   SPIRV_IF_FEATURE(gfx12, amdgpu, "gfx12-insts");  // the feature of a provider
//   spirv_if::if_device_has_feature<gfx12>([=] { ... }).otherwise([=] { ... });
//
// Each callable is called on the devices that have all of the aspects or the feature, are of one of the architectures or accept the extension,
// or for which the host decides so (`spirv-if specialize --set fast:true`), and is not part of the module for others: `spirv-if pack` makes one
// module for all devices, `spirv-if specialize` one for a device. Callables take no arguments, and what they return is dropped: results
// come back through what they capture. Any level of optimization will do.
//
// Where the compiler knows its target (macros that `spirv-if devices NAME --defines` prints, and DPC++'s driver for
// -fsycl-targets=NAME), conditions are decided at once, and there is nothing left to pack. For a target that takes no SPIR-V and has no such
// macro, asking for an architecture is an error; -DSPIRV_IF_TARGET=1 says that it has none in the list.
//
// In SYCL the same functions are also in sycl::ext::oneapi::experimental, as far as SYCL's own headers have none of the name.
#pragma once

#if defined(SYCL_LANGUAGE_VERSION) && defined(__has_include)
#if __has_include(<sycl/sycl.hpp>)
#include <sycl/sycl.hpp>
#define SPIRV_IF_SYCL
#endif
#endif

// SYCL devices that take no SPIR-V: nothing can be decided later.
#if defined(__SPIRV__) || defined(__SPIR__)
#define SPIRV_IF_TO_SPIRV
#endif
#if defined(SPIRV_IF_TO_SPIRV) || defined(__SYCL_DEVICE_ONLY__)
#define SPIRV_IF_ON_DEVICE
#endif

#include "names.hpp"

// Declares a type that stands for a decision of the host of this name, or for a SPIR-V extension.
#define SPIRV_IF_DECISION(name) SPIRV_IF_NAMED(name)
#define SPIRV_IF_EXTENSION(name) SPIRV_IF_NAMED(name)
#define SPIRV_IF_NAMED(name) \
    struct name { \
        static constexpr int length = sizeof(#name) - 1; \
        static constexpr char at(int index) { return #name[index]; } \
    }

// Declares a type that stands for the feature with this name, in quotation marks, of a provider.
#define SPIRV_IF_FEATURE(type, of, name) \
    struct type { \
        struct provider_name { \
            static constexpr int length = sizeof(#of) - 1; \
            static constexpr char at(int index) { return #of[index]; } \
        }; \
        static constexpr int length = sizeof(name) - 1; \
        static constexpr char at(int index) { return name[index]; } \
    }

namespace spirv_if {

namespace detail {

// A Condition Expression is a series of int values in prefix notation. The values are an ABI.
enum node {
    aspect_node = -1,
    architecture_node = -2,
    not_node = -3,
    and_node = -4,
    or_node = -5,
    extension_node = -7,
    decision_node = -8,
    feature_node = -11
};

template <int... Values> struct series {};

// Conditions are types: `seq` is the series, `value` what the compiler knows.
template <int Aspect> struct has_aspect {
    static_assert(is_aspect(Aspect), "spirv-if does not know this aspect");
    using seq = series<aspect_node, Aspect>;
    static constexpr truth value = aspect_truth(Aspect);
};

template <int Architecture> struct is_architecture {
    static_assert(is_architecture_number(Architecture), "spirv-if does not know this architecture");
    using seq = series<architecture_node, Architecture>;
    static constexpr truth value = architecture_truth(Architecture);
};

// Characters of a name, four to an integer, the first in the lowest byte; zeros after the last.
template <typename Name> constexpr int characters(int first) {
    unsigned integer = 0;
    for (int at = 3; at >= 0; --at) {
        integer = integer << 8 | (first + at < Name::length ? static_cast<unsigned char>(Name::at(first + at)) : 0u);
    }
    return static_cast<int>(integer);
}

// The series of a name: its length and its characters.
template <typename Name, int Left = (Name::length + 3) / 4, int... Rest> struct name_series {
    using type = typename name_series<Name, Left - 1, characters<Name>(4 * (Left - 1)), Rest...>::type;
};
template <typename Name, int... All> struct name_series<Name, 0, All...> {
    using type = series<Name::length, All...>;
};

template <int Node, typename Left, typename Right> struct join;
template <int Node, int... Left, int... Right> struct join<Node, series<Left...>, series<Right...>> {
    using type = series<Node, Left..., Right...>;
};

// What no compiler knows. Devices that take no SPIR-V accept no extension of it, and there is no host that decides later.
template <int Node, typename Name> struct named {
    static_assert(Name::length <= 96, "a name has at most 96 characters");
    using seq = typename join<Node, series<>, typename name_series<Name>::type>::type;
#ifdef SPIRV_IF_TO_SPIRV
    static constexpr truth value = truth::unknown;
#else
    static constexpr truth value = truth::no;
#endif
};

template <typename Names> struct ended;
template <int... Names> struct ended<series<Names...>> {
    using type = series<Names..., 0>;
};

// The names of a feature's provider and its own, and a zero: nothing is compared.
template <typename Feature> struct has_feature {
    using provider = typename Feature::provider_name;
    static_assert(provider::length <= 96 && Feature::length <= 96, "a name has at most 96 characters");
    using names = typename join<feature_node, typename name_series<provider>::type, typename name_series<Feature>::type>::type;
    using seq = typename ended<names>::type;
    static constexpr truth value = named<feature_node, provider>::value;
};

template <typename Operand> struct negation {
    using seq = typename join<not_node, series<>, typename Operand::seq>::type;
    static constexpr truth value = Operand::value == truth::unknown ? truth::unknown
                                   : Operand::value == truth::yes   ? truth::no
                                                                    : truth::yes;
};

template <typename Left, typename Right> struct conjunction {
    using seq = typename join<and_node, typename Left::seq, typename Right::seq>::type;
    static constexpr truth value = Left::value == truth::no || Right::value == truth::no    ? truth::no
                                   : Left::value == truth::yes && Right::value == truth::yes ? truth::yes
                                                                                             : truth::unknown;
};

template <typename Left, typename Right> struct disjunction {
    using seq = typename join<or_node, typename Left::seq, typename Right::seq>::type;
    static constexpr truth value = negation<conjunction<negation<Left>, negation<Right>>>::value;
};

// Lists nest to the right.
template <template <typename, typename> class Operator, typename... Operands> struct fold {
    static_assert(sizeof...(Operands) > 0, "name at least one aspect or architecture");
};
template <template <typename, typename> class Operator, typename First, typename... Rest>
struct fold<Operator, First, Rest...> {
    using type = Operator<First, typename fold<Operator, Rest...>::type>;
};
template <template <typename, typename> class Operator, typename Last> struct fold<Operator, Last> {
    using type = Last;
};

template <aspect... Aspects>
using all_aspects = typename fold<conjunction, has_aspect<number_of(Aspects)>...>::type;
template <architecture... Architectures>
using any_architecture = typename fold<disjunction, is_architecture<number_of(Architectures)>...>::type;

#ifdef SPIRV_IF_TO_SPIRV
// The conditional caller: one call, of the conditional action. spirv-if knows it by its name, and reads the condition there,
// as the template arguments: an optimizer drops arguments that nothing reads. It must not look into the caller either: a call
// that always writes a variable would make what was written before dead, but this one may not happen. And where it merges
// functions with the same body (-fmerge-functions), it must not merge callers with different conditions, so their bodies differ, nor
// put a function without a name in the place of two, as it does with functions that other modules may define too.
template <int... Condition, typename Action>
__attribute__((noinline, optnone)) static void call_if_on_device_conditionally(Action &action) {
    [[maybe_unused]] int distinct;
    ((distinct = Condition), ...);
    action();
}

template <int... Condition, typename Action> void call_later(series<Condition...>, Action &action) {
    call_if_on_device_conditionally<Condition...>(action);
}
#endif

#ifdef SPIRV_IF_ON_DEVICE
static constexpr bool on_device = true;
#else
static constexpr bool on_device = false;
#endif

// False where nobody knows the architecture: the target takes no SPIR-V, so that nothing is decided later, and no macro names it.
template <architecture...> constexpr bool is_architecture_decidable() {
    return !on_device || not_known == truth::unknown || is_target_known();
}
#define SPIRV_IF_REQUIRE_ARCHITECTURE(...) \
    static_assert(detail::is_architecture_decidable<__VA_ARGS__>(), \
        "The if_architecture_is function may only be used when AOT " \
        "compiling with '-fsycl-targets=spir64_x86_64' or " \
        "'-fsycl-targets=intel_gpu_*'")

template <typename Condition, typename Action> void call_where(Action &action) {
    if constexpr (on_device && Condition::value == truth::yes) {
        action();
    }
#ifdef SPIRV_IF_TO_SPIRV
    if constexpr (Condition::value == truth::unknown) {
        call_later(typename Condition::seq{}, action);
    }
#endif
}

// What follows an `if`: `Remaining` holds where no clause so far did.
template <typename Remaining> struct chain {
    template <aspect... Aspects, typename Action> auto else_if_device_has(Action action) const {
        using clause = all_aspects<Aspects...>;
        call_where<conjunction<Remaining, clause>>(action);
        return chain<conjunction<Remaining, negation<clause>>>{};
    }

    template <architecture... Architectures, typename Action> auto else_if_architecture_is(Action action) const {
        SPIRV_IF_REQUIRE_ARCHITECTURE(Architectures...);
        using clause = any_architecture<Architectures...>;
        call_where<conjunction<Remaining, clause>>(action);
        return chain<conjunction<Remaining, negation<clause>>>{};
    }

    template <typename Extension, typename Action> auto else_if_device_accepts(Action action) const {
        using clause = named<extension_node, Extension>;
        call_where<conjunction<Remaining, clause>>(action);
        return chain<conjunction<Remaining, negation<clause>>>{};
    }

    template <typename Feature, typename Action> auto else_if_device_has_feature(Action action) const {
        using clause = has_feature<Feature>;
        call_where<conjunction<Remaining, clause>>(action);
        return chain<conjunction<Remaining, negation<clause>>>{};
    }

    template <typename Decision, typename Action> auto else_if_host_decides(Action action) const {
        using clause = named<decision_node, Decision>;
        call_where<conjunction<Remaining, clause>>(action);
        return chain<conjunction<Remaining, negation<clause>>>{};
    }

    template <typename Action> void otherwise(Action action) const { call_where<Remaining>(action); }
};

// What follows if_device or if_host.
template <bool Call> struct other_side {
    template <typename Action> void otherwise(Action action) const {
        if constexpr (Call) {
            action();
        }
    }
};

} // namespace detail

#if defined(SPIRV_IF_ON_DEVICE) || defined(SYCL_LANGUAGE_VERSION)
// Calls `action` where the device has all of the aspects. The host's pass over SYCL code calls nothing.
template <aspect... Aspects, typename Action> auto if_device_has(Action action) {
    using clause = detail::all_aspects<Aspects...>;
    detail::call_where<clause>(action);
    return detail::chain<detail::negation<clause>>{};
}

// Calls `action` where the device is of one of the architectures.
template <architecture... Architectures, typename Action> auto if_architecture_is(Action action) {
    SPIRV_IF_REQUIRE_ARCHITECTURE(Architectures...);
    using clause = detail::any_architecture<Architectures...>;
    detail::call_where<clause>(action);
    return detail::chain<detail::negation<clause>>{};
}

// Calls `action` where the device accepts a SPIR-V extension, of SPIRV_IF_EXTENSION.
template <typename Extension, typename Action> auto if_device_accepts(Action action) {
    using clause = detail::named<detail::extension_node, Extension>;
    detail::call_where<clause>(action);
    return detail::chain<detail::negation<clause>>{};
}

// Calls `action` where the device has the feature of a provider, of SPIRV_IF_FEATURE.
template <typename Feature, typename Action> auto if_device_has_feature(Action action) {
    using clause = detail::has_feature<Feature>;
    detail::call_where<clause>(action);
    return detail::chain<detail::negation<clause>>{};
}

// Calls `action` where the host decides so, of SPIRV_IF_DECISION.
template <typename Decision, typename Action> auto if_host_decides(Action action) {
    using clause = detail::named<detail::decision_node, Decision>;
    detail::call_where<clause>(action);
    return detail::chain<detail::negation<clause>>{};
}
#endif

#undef SPIRV_IF_REQUIRE_ARCHITECTURE

// Calls `action` in device code.
template <typename Action> auto if_device(Action action) {
    if constexpr (detail::on_device) {
        action();
    }
    return detail::other_side<!detail::on_device>{};
}

// Calls `action` in host code.
template <typename Action> auto if_host(Action action) {
    if constexpr (!detail::on_device) {
        action();
    }
    return detail::other_side<detail::on_device>{};
}

} // namespace spirv_if

#ifdef SPIRV_IF_SYCL
// The feature-test macros of the proposed extensions sycl_ext_oneapi_device_if and sycl_ext_oneapi_if_device. That of
// sycl_ext_oneapi_device_architecture, which has more than is here, is left to SYCL's own headers.
#ifndef SYCL_EXT_ONEAPI_DEVICE_IF
#define SYCL_EXT_ONEAPI_DEVICE_IF 1
#endif
#ifndef SYCL_EXT_ONEAPI_IF_DEVICE
#define SYCL_EXT_ONEAPI_IF_DEVICE 1
#endif

namespace sycl::ext::oneapi::experimental {
using spirv_if::if_device;
using spirv_if::if_device_has;
using spirv_if::if_host;
#ifndef SYCL_EXT_ONEAPI_DEVICE_ARCHITECTURE
using spirv_if::architecture;
using spirv_if::if_architecture_is;
#endif
} // namespace sycl::ext::oneapi::experimental
#endif
