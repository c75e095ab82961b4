//! The parts of the engine that the packages beside this one use: `spirv-if-inspect`, `spirv-if-sycl` and `spirv-if-probe`. No promise is made for it; they
//! require this version alone.

#![allow(missing_docs, reason = "the items have their documentation where they are")]

/// The tools that write modules, by the number in the header of their modules.
pub const GENERATORS: &str = include_str!("../spec-extensions/generators.csv");

/// The statistics of compilers that different drivers tell, by their names there.
pub const COMPILER_STATISTICS: &str = include_str!("../spec-extensions/compiler-statistics.csv");

pub mod analysis {
    pub use crate::analysis::{
        Analyses, AnalysisError, Annotated, Aspects, CallPath, CallReference, ConditionalCall,
        ConditionalCalls, DebugLocations, DeclaredAspects, DeviceRequirement, FunctionName, FunctionSizes,
        InstructionRequirements, ModuleRoot, Names, ReachedFunctions, ReadableCondition, ReadableConditions,
        ReferenceKind, RequirementSummaries, RequirementSummary, RootRequirements, SimplifiedRequirements,
        Size, Sizes, SourceLocation, SyclProperties, Units, WorkGroupSize, closure, has_own_work_group_limit,
        in_one_line, is_debug, join, limit_cause, matrix_uses, promises, stage, vulkan_limits,
        where_not_implied,
    };
    pub mod calls {
        pub use crate::analysis::calls::DirectCalls;
        pub mod scc {
            pub use crate::analysis::calls::scc::referred_first;
        }
    }
    pub mod conditional {
        pub mod preparation {
            pub use crate::analysis::conditional::preparation::unneeded_without;
        }
    }
    pub mod conditions {
        pub mod multi_target {
            pub use crate::analysis::conditions::multi_target::{MultiTarget, declares_extension};
        }
        pub mod names {
            pub use crate::analysis::conditions::names::ordinary;
        }
        pub mod predicates {
            pub use crate::analysis::conditions::predicates::may_have_tables;
        }
    }
    pub mod constants {
        pub use crate::analysis::constants::{Constants, Nothing};
        pub mod folding {
            pub use crate::analysis::constants::folding::Scalar;
        }
    }
    pub mod flow {
        pub use crate::analysis::flow::{Flow, Running, Solution};
    }
    pub mod requirements {
        pub use crate::analysis::requirements::{
            CoverCandidate, InstructionRequirements, Requirement, RequirementId, RequirementSet, api_of,
            closure, closure_of, cover, extensions, is_always_kept, is_judged, is_judged_extension,
            is_of_kernels, of_enumerant,
        };
    }
    pub mod root_requirements {
        pub use crate::analysis::root_requirements::DeviceRequirement;
    }
}
pub mod collections {
    pub use crate::collections::{IdMap, OrderedMap, gather, sort, sort_by, sort_by_key};
}
pub mod compatibility {
    pub use crate::compatibility::{
        ClauseCounts, ComparedFeature, DefectPattern, DefectPlace, DeviceResults, DeviceValues, DriverDefect,
        EntryRequirements, MULTI_TARGET_EXTENSION, ModuleDeclarations, check_requirements, clause,
        defects_of, disjunction, driver_defects, explained_aspects, fails_on_driver, is_of_multi_target,
        label,
    };
}
pub mod condition {
    pub use crate::condition::{
        ConditionError, ConditionId, Conditions, Expr, FeatureName, Leaf, Limit, Name, Truth, conjunction,
        evaluate,
    };
}
pub mod device {
    pub use crate::device::config::embedded;
    pub use crate::device::facts::{DeviceDriver, DeviceFacts};
    pub use crate::device::names::{ANY_DEVICE, is_generic_for, make_names_distinct};
    pub use crate::device::reports::{FeatureChain, structures};
    pub use crate::device::tables::{DeviceNames, NumberTable};

    pub mod api {
        pub use crate::device::api::{
            ApiRequirements, Enable, Enabling, FeatureSetting, FeatureUse, limits, named_features, uses,
        };
    }
    pub mod architectures {
        pub use crate::device::architectures::{Architecture, aliases, by_value};
    }
    pub mod aspects {
        pub use crate::device::aspects::{architecture_of, name, names, number, of_architecture};
    }
    pub mod capabilities {
        pub use crate::device::capabilities::{
            exactly, is_or_implies, name, names, number, required_aspects,
        };
    }
    pub mod limits {
        pub use crate::device::limits::{MAX_WORK_GROUP_SIZE, SPIRV_VERSION, number};
    }
    pub mod products {
        pub use crate::device::products::{products, vendor};
    }
    pub mod providers {
        pub use crate::device::providers::capabilities_of_vulkan;
    }
    pub mod registry {
        pub use crate::device::registry::List;
    }
    pub mod reports {
        pub use crate::device::reports::{
            OpenClReport, QueryAnswer, QueryKind, VulkanReport, end, places, queries,
        };
    }
    pub mod unknown {
        pub use crate::device::unknown::{UnknownLeaf, unknown_leaves};
    }
}
pub mod loader {
    pub use crate::loader::{Function, Instruction, Module, SetKind, SyclImage, is_elf, literal};
    pub mod views {
        pub use crate::loader::views::{
            Annotation, Capability, ConditionalCopyObjectINTEL, Decoration, EntryPoint, ExecutionMode,
            Extension, Function, FunctionCall, FunctionParameter, MemoryModel, Name, TypeArray, TypeNumber,
            TypePointer, UntypedVariableKHR, Value, Variable,
        };
    }
}
pub mod metadata {
    pub mod annotations {
        pub use crate::metadata::annotations::AnnotationsFile;
    }
    pub mod property_sets {
        pub use crate::metadata::property_sets::{
            ADD_ON_IMAGE, ADD_ON_IMAGES, AddOnImages, AddOnRecord, ConditionalRequirements,
            DEVICE_REQUIREMENTS, DeviceGlobal, DeviceRequirements, EXPORTED_SYMBOLS, IMPORTED_SYMBOLS,
            ImportedSymbols, PropertySubject, SPECIAL_CONSTANTS, SpecialConstants, VARIANTS, add_exported,
            description, exported_symbols, linked_images, subject_name,
        };
        pub mod carried {
            pub use crate::metadata::property_sets::carried::{read, strings};
        }
    }
}
pub mod pipelines {
    pub use crate::pipelines::specialize_for::{decided_image, runs_as_well, specialize_for};
    pub use crate::pipelines::{
        ModuleBuffer, ModuleProperties, PipelineError, SpecializeRequest, SpecializedModule, decide_for_all,
        groups, has_conditional_calls, host_name, on_host, pack, relevant_leaves, without_properties,
    };
    pub mod entry_points {
        pub use crate::pipelines::entry_points::{EntryPointResult, have_vulkan_features, results, runs_all};
    }
    pub mod predicates {
        pub use crate::pipelines::predicates::of_part;
    }
    pub mod program {
        pub use crate::pipelines::program::{LinkedProgram, TranslationUnit, apply_to_device, link};
    }
    pub mod property_sets {
        pub use crate::pipelines::property_sets::{carry_over, property_sets};
    }
    pub mod recorded {
        pub use crate::pipelines::recorded::{MissingRequirements, is_aspect};
    }
}
pub mod text {
    pub mod csv {
        pub use crate::text::csv::{number, rows};
    }
    pub mod spelling {
        pub use crate::text::spelling::{did_you_mean, nearest};
    }
}
pub mod transform {
    pub use crate::transform::{Edits, NewInstruction, carry};
    pub mod adapt {
        pub mod table {
            pub use crate::transform::adapt::table::adaptable_declarations;
        }
    }
    pub mod cloning {
        pub use crate::transform::cloning::CloneLimit;
    }
    pub mod condition_constants {
        pub use crate::transform::condition_constants::{UnwritableCondition, names_of_constants};
    }
    pub mod definitions {
        pub use crate::transform::definitions::NamedModule;
    }
    pub mod insertion {
        pub use crate::transform::insertion::{DecorationsById, InsertionPoints};
    }
    pub mod link {
        pub use crate::transform::link::{
            declares_linkage, drop_capability, is_import, link, link_images, linkage,
        };
    }
    pub mod link_names {
        pub use crate::transform::link_names::{NewLinkage, link_names};
    }
    pub mod lower {
        pub use crate::transform::lower::{LowerError, NarrowStorage, lowerable_features};
    }
    pub mod pack {
        pub use crate::transform::pack::{PackError, PackResult, pack};
    }
    pub mod properties {
        pub use crate::transform::properties::{lower, strip};
    }
    pub mod removal {
        pub use crate::transform::removal::count_words;
    }
    pub mod settle {
        pub use crate::transform::settle::make_ordinary;
    }
    pub mod specialize {
        pub use crate::transform::specialize::{
            ConstantKey, KeyedSetting, SpecializeOptions, has_constant, refuse_unknown, specialize,
        };
    }
    pub mod split {
        pub use crate::transform::split::{SplitGraph, SplitPart, SplitRoot, roots, state};
    }
    pub mod trap {
        pub use crate::transform::trap::{DecidingValues, LackedFeatures, TakenBranch, TrapAnalyses};
    }
    pub mod trim {
        pub use crate::transform::trim::{TrimResult, trim, unneeded};
    }
    pub mod version {
        pub use crate::transform::version::newer_instructions;
    }
}
pub mod writer {
    pub use crate::writer::apply;
}
