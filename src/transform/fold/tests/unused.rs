//! Removal of code that only decided branches used, within a function.

use crate::test_support::program::expand;
use crate::transform::specialize::UnsetPolicy;
use crate::transform::specialize::tests::support::{KnownDevice, SpecializeCase, SpecializedCase};

const HEAD: &str = "
%glsl = OpExtInstImport \"GLSL.std.450\"
OpEntryPoint Fragment %main \"main\" %out %in %image %buffer
OpExecutionMode %main OriginUpperLeft
OpName %local \"local\"
OpDecorate %flag SpecId 0
OpDecorate %out Location 0
OpDecorate %in Location 0
OpDecorate %image DescriptorSet 0
OpDecorate %image Binding 0
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 1
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
%v2 = OpTypeVector %float 2
%v4 = OpTypeVector %float 4
%block = OpTypeStruct %float
%image_type = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image_type
%to_sampled = OpTypePointer UniformConstant %sampled
%to_block = OpTypePointer StorageBuffer %block
%to_stored = OpTypePointer StorageBuffer %float
%to_in = OpTypePointer Input %float
%to_out = OpTypePointer Output %float
%to_local = OpTypePointer Function %float
%pair = OpTypeStruct %float %float
%to_pair = OpTypePointer Function %pair
%type = OpTypeFunction %void
%taking = OpTypeFunction %float %float
%taking_two = OpTypeFunction %void %float %float
%flag = OpSpecConstantFalse %bool
%zero = OpConstant %uint 0
%index_1 = OpConstant %uint 1
%half = OpConstant %float 0.5
%middle = OpConstantComposite %v2 %half %half
%in = OpVariable %to_in Input
%out = OpVariable %to_out Output
%image = OpVariable %to_sampled UniformConstant
%buffer = OpVariable %to_block StorageBuffer
ADDITIONS
%main = OpFunction %void None %type
%start = OpLabel
%local = OpVariable %to_local Function
%parts = OpVariable %to_pair Function
%x = OpLoad %float %in
";

const END: &str = "
OpSelectionMerge %end None
OpBranchConditional %flag %yes %end
%yes = OpLabel
USES
OpBranch %end
%end = OpLabel
OpReturn
OpFunctionEnd
";

/// Additions for cooperative matrices.
const MATRICES: &str = "
OpCapability VulkanMemoryModel
OpCapability CooperativeMatrixKHR
OpExtension \"SPV_KHR_cooperative_matrix\"
OpMemoryModel Logical Vulkan
";

/// Returns a fragment shader that computes something, uses it only where the flag is set, and has other functions.
pub fn case(computes: &str, uses: &str, functions: &str) -> SpecializeCase {
    with_debug("", computes, uses, functions)
}

/// Like [`case`], with more imports, types, decorations and debug information.
pub fn with_debug(additions: &str, computes: &str, uses: &str, functions: &str) -> SpecializeCase {
    SpecializeCase::new(&text(additions, computes, uses, functions)).valid("spv1.6")
}

/// Returns the text of [`with_debug`].
pub fn text(additions: &str, computes: &str, uses: &str, functions: &str) -> String {
    let head = HEAD.replace("ADDITIONS", additions);
    expand(&format!("{head}{computes}{}{functions}", END.replace("USES", uses)))
}

impl SpecializedCase<'_> {
    /// Returns true if a named definition still exists in the module.
    pub fn remains(&self, name: &str) -> bool {
        !self.removed_names().contains(&name)
    }
}

fn set(case: &SpecializeCase, flag: u64) -> SpecializedCase<'_> {
    let outcome = case.with(&KnownDevice::default(), &[(0, flag)], UnsetPolicy::Keep).unwrap();
    outcome.valid("spv1.6");
    outcome
}

pub fn on(case: &SpecializeCase) -> SpecializedCase<'_> {
    set(case, 1)
}

pub fn off(case: &SpecializeCase) -> SpecializedCase<'_> {
    set(case, 0)
}

/// Checks that each of these is removed with its only use, and stays with it.
#[test]
fn what_only_computes_goes() {
    let cases = [
        ("%y = OpFMul %float %x %x", "OpStore %out %y"),
        ("%y = OpExtInst %float %glsl Sin %x", "OpStore %out %y"),
        ("%y = OpDPdx %float %x", "OpStore %out %y"),
        (
            "%loaded = OpLoad %sampled %image
            %colour = OpImageSampleImplicitLod %v4 %loaded %middle
            %y = OpCompositeExtract %float %colour 0",
            "OpStore %out %y",
        ),
        ("%y = OpFunctionCall %float %twice %x", "OpStore %out %y"),
    ];
    let twice = "
        %twice = OpFunction %float None %taking
        %number = OpFunctionParameter %float
        %twice_start = OpLabel
        %own = OpVariable %to_local Function
        OpStore %own %number
        %again = OpLoad %float %own
        %sum = OpFAdd %float %again %number
        OpReturnValue %sum
        OpFunctionEnd";
    for (computes, uses) in cases {
        let case = case(computes, uses, twice);
        let outcome = off(&case);
        assert!(outcome.remains("twice") != computes.contains("twice"), "{computes}");
        assert!(!outcome.remains("y") && !outcome.remains("x"), "{computes}");
        assert!(on(&case).remains("y"), "{computes}");
    }
}

/// Matrices that invocations share are loaded and multiplied for their values alone.
#[test]
fn cooperative_matrices_that_nothing_uses_go() {
    let types = "
        %subgroup = OpConstant %uint 3
        %size = OpConstant %uint 16
        %use_a = OpConstant %uint 0
        %use_b = OpConstant %uint 1
        %use_sum = OpConstant %uint 2
        %matrix_a = OpTypeCooperativeMatrixKHR %float %subgroup %size %size %use_a
        %matrix_b = OpTypeCooperativeMatrixKHR %float %subgroup %size %size %use_b
        %matrix_sum = OpTypeCooperativeMatrixKHR %float %subgroup %size %size %use_sum
        %zeros = OpConstantNull %matrix_sum
        %number = OpTypePointer StorageBuffer %uint";
    let computes = "
        %place = OpAccessChain %to_stored %buffer %zero
        %a = OpCooperativeMatrixLoadKHR %matrix_a %place %zero %size
        %b = OpCooperativeMatrixLoadKHR %matrix_b %place %zero %size ACCESS
        %sum = OpCooperativeMatrixMulAddKHR %matrix_sum %a %b %zeros
        %length = OpCooperativeMatrixLengthKHR %uint %matrix_sum";
    let uses = "OpCooperativeMatrixStoreKHR %place %sum %zero %length";
    for (access, stays) in [("", false), ("Volatile", true)] {
        let additions = [MATRICES, types].concat();
        let case = with_debug(&additions, &computes.replace("ACCESS", access), uses, "");
        for name in ["a", "sum", "length"] {
            assert!(on(&case).remains(name), "{name}");
            assert!(!off(&case).remains(name), "{name}");
        }
        assert_eq!(off(&case).remains("b"), stays);
    }
}

/// Checks that all of these stay, although nothing uses their results.
#[test]
fn what_has_an_effect_stays() {
    let functions = [
        // It may not end.
        "%called = OpFunction %float None %taking
        %number = OpFunctionParameter %float
        %called_start = OpLabel
        OpBranch %head
        %head = OpLabel
        OpLoopMerge %after %next None
        OpBranchConditional %flag %after %next
        %next = OpLabel
        OpBranch %head
        %after = OpLabel
        OpReturnValue %number
        OpFunctionEnd",
        "%called = OpFunction %float None %taking
        %number = OpFunctionParameter %float
        %called_start = OpLabel
        OpStore %out %number
        OpReturnValue %number
        OpFunctionEnd",
        "%called = OpFunction %float None %taking
        %number = OpFunctionParameter %float
        %called_start = OpLabel
        %deeper = OpFunctionCall %float %writes %number
        OpReturnValue %number
        OpFunctionEnd
        %writes = OpFunction %float None %taking
        %written = OpFunctionParameter %float
        %writes_start = OpLabel
        OpStore %out %written
        OpReturnValue %written
        OpFunctionEnd",
        "%called = OpFunction %float None %taking
        %number = OpFunctionParameter %float
        %called_start = OpLabel
        OpKill
        OpFunctionEnd",
    ];
    for function in functions {
        let case = case("%y = OpFunctionCall %float %called %x", "OpStore %out %y", function);
        assert!(off(&case).remains("y"), "{function}");
    }
    for computes in ["%y = OpLoad %float %in Volatile", "%y = OpExtInst %float %glsl Modf %x %local"] {
        let case = case(computes, "OpStore %out %y", "");
        assert!(off(&case).remains("y"), "{computes}");
    }
    // Where something is volatile, so may be what is loaded.
    let loads = "%place = OpAccessChain %to_stored %buffer %zero
        %y = OpLoad %float %place";
    for (decoration, stays) in [("", false), ("OpMemberDecorate %block 0 Volatile", true)] {
        let case = with_debug(decoration, loads, "OpStore %out %y", "");
        assert_eq!(off(&case).remains("y"), stays);
    }
}

/// Checks that variables without loads are removed with their stores. A variable stays if a pointer into it is used
/// elsewhere.
#[test]
fn what_is_written_and_never_read_goes() {
    let writes = "OpStore %local %x
        %part = OpAccessChain %to_local %parts %zero
        OpStore %part %x
        OpCopyMemory %part %local";
    let reads = "%y = OpLoad %float %part
        OpStore %out %y";
    let case = case(writes, reads, "");
    let outcome = off(&case);
    for gone in ["local", "parts", "part", "x", "to_local", "to_pair", "pair"] {
        assert!(!outcome.remains(gone), "{gone}");
    }
    assert_eq!((outcome.all("OpStore").len(), outcome.all("OpName").len()), (0, 0));
    let on = on(&case);
    assert_eq!((on.all("OpStore").len(), on.all("OpCopyMemory").len()), (3, 1));
    for writes in
        ["OpStore %local %x Volatile", "OpStore %local %x\n%y = OpFunctionCall %float %reads %local"]
    {
        let function = "
            %taking_pointer = OpTypeFunction %float %to_local
            %reads = OpFunction %float None %taking_pointer
            %pointer = OpFunctionParameter %to_local
            %reads_start = OpLabel
            %read = OpLoad %float %pointer
            OpStore %out %read
            OpReturnValue %read
            OpFunctionEnd";
        let (type_, function) = function.trim().split_once('\n').unwrap();
        let used = writes.contains("%reads");
        let (type_, function) = if used { (type_, function) } else { ("", "") };
        let case = with_debug(type_, writes, "", function);
        assert!(off(&case).remains("local"), "{writes}");
    }
}

/// A decoration group makes its targets volatile.
#[test]
fn volatile_variables_stay_with_their_writes() {
    let group = "OpDecorate %group Volatile\n%group = OpDecorationGroup\nOpGroupDecorate %group %local";
    for (decoration, stays) in [("", false), ("OpDecorate %local Volatile", true), (group, true)] {
        let case = with_debug(decoration, "OpStore %local %x", "", "");
        assert_eq!(off(&case).remains("local"), stays, "{decoration}");
    }
}

/// Checks that debug information is removed with its variable or value, and lines with their code.
#[test]
fn debug_information_goes_with_what_it_describes() {
    let set = "OpExtension \"SPV_KHR_non_semantic_info\"
        %dbg = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"";
    let string = "%file = OpString \"a.frag\"
        %name = OpString \"a\"
        %float_name = OpString \"float\"";
    let debug = "%one = OpConstant %uint 1
        %line_3 = OpConstant %uint 3
        %bits = OpConstant %uint 32
        %source = OpExtInst %void %dbg DebugSource %file
        %unit = OpExtInst %void %dbg DebugCompilationUnit %one %one %source %one
        %described_type = OpExtInst %void %dbg DebugTypeBasic %float_name %bits %line_3 %zero
        %void_type = OpExtInst %void %dbg DebugTypeFunction %zero %void
        %described = OpExtInst %void %dbg DebugFunction %name %void_type %source %one %one %unit %name %zero %one
        %variable = OpExtInst %void %dbg DebugLocalVariable %name %described_type %source %one %one %described %zero
        %expression = OpExtInst %void %dbg DebugExpression";
    let computes = "%defines = OpExtInst %void %dbg DebugFunctionDefinition %described %main
        %scope = OpExtInst %void %dbg DebugScope %described
        %first_line = OpExtInst %void %dbg DebugLine %source %one %one %zero %zero
        %declares = OpExtInst %void %dbg DebugDeclare %variable %local %expression
        OpLine %file 7 1
        OpStore %local %x
        OpLine %file 8 1
        %y = OpFMul %float %x %x
        %values = OpExtInst %void %dbg DebugValue %variable %y %expression
        %other_line = OpExtInst %void %dbg DebugLine %source %line_3 %line_3 %zero %zero
        OpLine %file 9 1";
    let uses = "%z = OpLoad %float %local
        %sum = OpFAdd %float %z %y
        OpStore %out %sum";
    let case = with_debug(&[set, string, debug].join("\n"), computes, uses, "");
    let outcome = off(&case);
    for gone in ["declares", "values", "first_line", "local", "x", "y"] {
        assert!(!outcome.remains(gone), "{gone}");
    }
    assert!(outcome.remains("defines") && outcome.remains("scope") && outcome.remains("other_line"));
    assert_eq!(outcome.all("OpLine").len(), 1);
    let on = on(&case);
    assert!(on.remains("declares") && on.remains("values") && on.remains("first_line"));
    assert_eq!(on.all("OpLine").len(), 3);
}

/// Checks that functions without decisions are unchanged.
#[test]
fn functions_without_decisions_stay() {
    let function = "
        %other = OpFunction %void None %type
        %other_start = OpLabel
        %own = OpVariable %to_local Function
        %value = OpLoad %float %in
        OpStore %own %value
        OpReturn
        OpFunctionEnd";
    let case = case("%called = OpFunctionCall %void %other\nOpStore %out %x", "OpStore %out %half", function);
    // A call of it goes where something is decided.
    assert!(!off(&case).remains("own"));
    let text = "OpStore %out %x\n%called = OpFunctionCall %void %keeps";
    let keeps = function.replace("%other", "%keeps").replace("OpReturn\n", "OpStore %out %half\nOpReturn\n");
    let case = self::case(text, "OpStore %out %half", &keeps);
    let outcome = off(&case);
    assert!(outcome.remains("own") && outcome.remains("value"));
}

/// Checks that elements of a structure are separate variables, unless all of it is read.
#[test]
fn writes_to_elements_that_nothing_reads_go() {
    let writes = "
        %first = OpAccessChain %to_local %parts %zero
        %sine = OpExtInst %float %glsl Sin %x
        OpStore %first %sine
        %second = OpAccessChain %to_local %parts %index_1
        %cosine = OpExtInst %float %glsl Cos %x
        OpStore %second %cosine
        %other = OpAccessChain %to_local %parts %index_1
        %read = OpLoad %float %other
        OpStore %out %read";
    let whole = "%all = OpLoad %pair %parts
        %part = OpCompositeExtract %float %all 0
        OpStore %out %part";
    let case = case(writes, whole, "");
    for name in ["sine", "first"] {
        assert!(on(&case).remains(name), "{name}");
        assert!(!off(&case).remains(name), "{name}");
    }
    assert!(off(&case).remains("cosine"));
}

/// Checks that a function with an effect keeps its operands: its second parameter is used only where the flag is set.
#[test]
fn parameters_that_nothing_uses_go() {
    let functions = "
        %store = OpFunction %void None %taking_two
        %kept = OpFunctionParameter %float
        %lost = OpFunctionParameter %float
        %store_start = OpLabel
        %place = OpAccessChain %to_stored %buffer %zero
        OpStore %place %kept
        OpSelectionMerge %store_end None
        OpBranchConditional %flag %store_yes %store_end
        %store_yes = OpLabel
        OpStore %place %lost
        OpBranch %store_end
        %store_end = OpLabel
        OpReturn
        OpFunctionEnd";
    let call = "%sine = OpExtInst %float %glsl Sin %x
        %call = OpFunctionCall %void %store %x %sine";
    let case = case(call, "OpStore %out %x", functions);
    for name in ["lost", "sine"] {
        assert!(on(&case).remains(name), "{name}");
        assert!(!off(&case).remains(name), "{name}");
    }
    assert!(off(&case).remains("kept"));
    // A caller in which nothing is decided stays as it is, and so do its callees.
    let other = "
        %other = OpFunction %void None %type
        %other_start = OpLabel
        %other_call = OpFunctionCall %void %store %half %half
        OpReturn
        OpFunctionEnd";
    let more = format!("{call}\n%others = OpFunctionCall %void %other");
    let functions = format!("{functions}{other}");
    let case = self::case(&more, "OpStore %out %x", &functions);
    assert!(off(&case).remains("lost"));
}

/// Parameters that a function only passes to itself are unused.
#[test]
fn functions_that_call_themselves_lose_parameters() {
    let functions = "
        %caller = OpFunction %void None %type
        %caller_start = OpLabel
        %caller_call = OpFunctionCall %void %store %half %half
        OpSelectionMerge %caller_end None
        OpBranchConditional %flag %caller_yes %caller_end
        %caller_yes = OpLabel
        OpStore %out %half
        OpBranch %caller_end
        %caller_end = OpLabel
        OpReturn
        OpFunctionEnd
        %store = OpFunction %void None %taking_two
        %kept = OpFunctionParameter %float
        %lost = OpFunctionParameter %float
        %store_start = OpLabel
        %place = OpAccessChain %to_stored %buffer %zero
        OpStore %place %kept
        %nested = OpFunctionCall %void %store %kept %half
        OpSelectionMerge %store_end None
        OpBranchConditional %flag %store_yes %store_end
        %store_yes = OpLabel
        OpStore %place %lost
        OpBranch %store_end
        %store_end = OpLabel
        OpReturn
        OpFunctionEnd";
    let case = case("%sine = OpExtInst %float %glsl Sin %x", "OpStore %out %sine", functions);
    let outcome = off(&case);
    assert!(!outcome.remains("lost") && outcome.remains("kept"));
}

/// Variables outside of functions: an array that invocations share, and one for each invocation.
const INTERNAL: &str = "
    %four = OpConstant %uint 4
    %floats = OpTypeArray %float %four
    %to_shared = OpTypePointer Workgroup %floats
    %to_shared_element = OpTypePointer Workgroup %float
    %shared = OpVariable %to_shared Workgroup
    %to_private = OpTypePointer Private %pair
    %to_private_element = OpTypePointer Private %float
    %private = OpVariable %to_private Private";

/// Like [`case`], with [`INTERNAL`].
fn with_internal(decoration: &str, computes: &str, uses: &str, functions: &str) -> SpecializeCase {
    let text = text(&[INTERNAL, decoration].join("\n"), computes, uses, functions);
    let text = text.replace("%in %image", "%in %shared %private %image");
    SpecializeCase::new(&text).valid("spv1.6")
}

/// Variables that another function reads are computed from stored values, too.
#[test]
fn variables_outside_of_functions_that_nothing_reads_go() {
    let reading = "
        %reads = OpFunction %void None %type
        %reads_start = OpLabel
        %shared_element = OpAccessChain %to_shared_element %shared %index_1
        %shared_value = OpLoad %float %shared_element
        %private_element = OpAccessChain %to_private_element %private %index_1
        OpStore %private_element %shared_value
        OpSelectionMerge %reads_end None
        OpBranchConditional %flag %reads_yes %reads_end
        %reads_yes = OpLabel
        %private_value = OpLoad %float %private_element
        OpStore %out %private_value
        OpBranch %reads_end
        %reads_end = OpLabel
        OpReturn
        OpFunctionEnd";
    let writing = "
        %sine = OpExtInst %float %glsl Sin %x
        %first = OpAccessChain %to_shared_element %shared %zero
        OpStore %first %sine
        %second = OpAccessChain %to_shared_element %shared %index_1
        OpCopyMemory %second %first
        %cosine = OpExtInst %float %glsl Cos %x
        %unread = OpAccessChain %to_private_element %private %zero
        OpStore %unread %cosine
        %call = OpFunctionCall %void %reads";
    let case = with_internal("", writing, "OpStore %out %x", reading);
    let outcome = off(&case);
    for gone in
        ["shared", "private", "floats", "pair", "sine", "cosine", "shared_value", "to_private_element"]
    {
        assert!(!outcome.remains(gone), "{gone}");
    }
    assert_eq!((outcome.all("OpStore").len(), outcome.all("OpCopyMemory").len()), (0, 0));
    let outcome = on(&case);
    for kept in ["shared", "private", "sine", "shared_value"] {
        assert!(outcome.remains(kept), "{kept}");
    }
    // Nothing reads this element.
    assert!(!outcome.remains("cosine"));
}

/// These may be read, or written to for another reason.
#[test]
fn variables_outside_of_functions_stay_that_something_may_read() {
    let write = "%element = OpAccessChain %to_shared_element %shared %zero\nOpStore %element %x";
    let reading = "
        %other = OpFunction %void None %type
        %other_start = OpLabel
        %read_element = OpAccessChain %to_shared_element %shared %zero
        %read = OpLoad %float %read_element
        OpStore %out %read
        OpReturn
        OpFunctionEnd";
    let called = format!("{write}\n%called = OpFunctionCall %void %other");
    let taking = "
        %taking_pointer = OpTypeFunction %void %to_shared
        %takes = OpFunction %void None %taking_pointer
        %pointer = OpFunctionParameter %to_shared
        %takes_start = OpLabel
        %taken_element = OpAccessChain %to_shared_element %pointer %zero
        %taken = OpLoad %float %taken_element
        OpStore %out %taken
        OpReturn
        OpFunctionEnd";
    let (pointer_type, taking) = taking.trim().split_once('\n').unwrap();
    let passed = format!("{write}\n%called = OpFunctionCall %void %takes %shared");
    let volatile = format!("{write} Volatile");
    let exchanged = "
        %element = OpAccessChain %to_shared_element %shared %zero
        %old = OpAtomicExchange %float %element %index_1 %zero %x";
    let exported = "OpDecorate %shared LinkageAttributes \"shared\" Export";
    let cases = [
        ("", "", called.as_str(), reading),
        ("", pointer_type, &passed, taking),
        ("", "", &volatile, ""),
        ("", "", exchanged, ""),
        (exported, "", write, ""),
        // Something else is volatile.
        ("OpMemberDecorate %block 0 Volatile", "", write, ""),
    ];
    for (decoration, type_, computes, functions) in cases {
        let module_scope = [INTERNAL, type_].join("\n");
        let text = text(&[&module_scope, decoration].join("\n"), computes, "OpStore %out %x", functions);
        let text = text.replace("%in %image", "%in %shared %private %image");
        let case = SpecializeCase::new(
            &text.replace("OpCapability Shader", "OpCapability Linkage\nOpCapability Shader"),
        );
        assert!(off(&case.valid("spv1.6")).remains("shared"), "{decoration} {computes} {functions}");
    }
    // A function that does not change reads it, and only what is decided calls that.
    let case = with_internal("", write, "%called = OpFunctionCall %void %other", reading);
    assert!(!off(&case).remains("shared"));
    assert!(on(&case).remains("shared"));
}

/// Checks variables that invocations share: with an explicit layout, they are the same memory.
#[test]
fn variables_that_share_their_memory_stay() {
    let variables = "
        %first_block = OpTypeStruct %float
        %to_first = OpTypePointer Workgroup %first_block
        %to_shared = OpTypePointer Workgroup %float
        %first = OpVariable %to_first Workgroup
        %second = OpVariable %to_first Workgroup";
    let decorations = "
        OpDecorate %first_block Block
        OpMemberDecorate %first_block 0 Offset 0
        OpDecorate %first Aliased
        OpDecorate %second Aliased";
    let computes = "
        %written = OpAccessChain %to_shared %first %zero
        OpStore %written %x
        %read = OpAccessChain %to_shared %second %zero
        %y = OpLoad %float %read
        OpStore %out %y";
    let text = text(&[variables, decorations].join("\n"), computes, "OpStore %out %x", "");
    let text = text.replace("%in %image", "%in %first %second %image");
    for capability in ["WorkgroupMemoryExplicitLayoutKHR", "WorkgroupMemoryExplicitLayout16BitAccessKHR"] {
        let declares = format!(
            "OpCapability Shader\nOpCapability {capability}\nOpExtension \"SPV_KHR_workgroup_memory_explicit_layout\""
        );
        let case = SpecializeCase::new(&text.replace("OpCapability Shader", &declares));
        assert!(off(&case.valid("spv1.6")).remains("first"), "{capability}");
    }
}

/// Checks that elements stay if a pointer to one element may be moved to another one.
#[test]
fn elements_stay_that_moved_pointers_write() {
    let computes = "
        %index = OpConvertFToU %uint %x
        %element = OpAccessChain %to_shared_element %shared %zero
        %moved = OpPtrAccessChain %to_shared_element %element %index
        OpStore %moved %x
        %other = OpAccessChain %to_shared_element %shared %index_1
        %y = OpLoad %float %other
        OpStore %out %y";
    let text = text(INTERNAL, computes, "OpStore %out %x", "");
    let text = text
        .replace("%in %image", "%in %shared %private %image")
        .replace("OpCapability Shader", "OpCapability Shader\nOpCapability VariablePointers");
    let case = SpecializeCase::new(&text);
    assert!(off(&case.valid("spv1.6")).remains("moved"));
}

/// A matrix is loaded from an element and those after it.
#[test]
fn elements_stay_that_matrices_are_loaded_from() {
    let types = "
        %subgroup = OpConstant %uint 3
        %rows = OpConstant %uint 2
        %matrix = OpTypeCooperativeMatrixKHR %float %subgroup %rows %rows %zero";
    let computes = "
        %written = OpAccessChain %to_shared_element %shared %index_1
        OpStore %written %x
        %first = OpAccessChain %to_shared_element %shared %zero
        %loaded = OpCooperativeMatrixLoadKHR %matrix %first %zero %rows
        %place = OpAccessChain %to_stored %buffer %zero
        OpCooperativeMatrixStoreKHR %place %loaded %zero %rows";
    let text = text(&[MATRICES, INTERNAL, types].join("\n"), computes, "OpStore %out %x", "")
        .replace("%in %image", "%in %shared %private %image");
    let case = SpecializeCase::new(&text);
    assert!(off(&case.valid("spv1.6")).remains("written"));
}

/// Selections in which nothing is left go, as far as no value depends on them.
#[test]
fn selections_that_do_nothing_go() {
    let computes = "
        %outer = OpFOrdLessThan %bool %x %half
        OpSelectionMerge %outer_end None
        OpBranchConditional %outer %outer_yes %outer_no
        %outer_yes = OpLabel
        %y = OpFMul %float %x %x
        OpBranch %outer_end
        %outer_no = OpLabel
        %loaded = OpLoad %float %in
        %inner = OpFOrdLessThan %bool %loaded %half
        OpSelectionMerge %inner_end None
        OpBranchConditional %inner %inner_yes %inner_end
        %inner_yes = OpLabel
        INNER
        OpBranch %inner_end
        %inner_end = OpLabel
        OpBranch %outer_end
        %outer_end = OpLabel
        %z = OpPhi %float %y %outer_yes %half %inner_end";
    let cases: [(&str, &str, &[&str]); 4] = [
        ("", "", &["outer", "outer_yes", "inner", "inner_yes", "x"]),
        ("", "OpStore %out %z", &["inner", "inner_yes"]),
        ("OpStore %out %half", "", &["y", "z"]),
        ("OpStore %local %x", "", &["outer", "inner"]),
    ];
    for (inner, after, gone) in cases {
        let computes = format!("{}\n{after}", computes.replace("INNER", inner));
        let case = case(&computes, "OpStore %out %z", "");
        let outcome = off(&case);
        assert!(on(&case).remains("outer") && on(&case).remains("y"), "{computes}");
        for name in gone {
            assert!(!outcome.remains(name), "{name}: {computes}");
        }
        assert_eq!(outcome.remains("outer"), !gone.contains(&"outer"), "{computes}");
    }
    let ways_out = [
        "OpKill",
        // A loop may run for ever.
        "OpBranch %head
        %head = OpLabel
        OpLoopMerge %after %next None
        OpBranchConditional %inner %after %next
        %next = OpLabel
        OpBranch %head
        %after = OpLabel
        OpBranch %inner_end",
    ];
    for way_out in ways_out {
        let case =
            case(&computes.replace("INNER\n        OpBranch %inner_end", way_out), "OpStore %out %z", "");
        assert!(off(&case).remains("inner") && off(&case).remains("outer"), "{way_out}");
    }
}

/// Checks that a call that only writes to variables is removed with them, even if the function passes its parameter on.
#[test]
fn calls_that_only_write_to_unused_variables_go() {
    let functions = "
        %outer = OpFunction %float None %taking_pointer
        %passed = OpFunctionParameter %to_local
        %outer_start = OpLabel
        %inside = OpVariable %to_local Function
        %first = OpFunctionCall %float %changes %inside
        %last = OpFunctionCall %float %changes %passed
        OpReturnValue %last
        OpFunctionEnd
        %changes = OpFunction %float None %taking_pointer
        %pointer = OpFunctionParameter %to_local
        %changes_start = OpLabel
        %before = OpLoad %float %pointer
        %changed = OpFAdd %float %before %half
        OpStore %pointer %changed
        OpReturnValue %changed
        OpFunctionEnd";
    let type_ = "%taking_pointer = OpTypeFunction %float %to_local";
    let call = "OpStore %local %x
        %y = OpFunctionCall %float %outer %local";
    let build = |computes: &str, uses: &str| with_debug(type_, computes, uses, functions);
    let case = build(call, "OpStore %out %y");
    for name in ["y", "local", "x", "outer", "changes"] {
        assert!(on(&case).remains(name), "{name}");
        assert!(!off(&case).remains(name), "{name}");
    }
    // What it wrote is read.
    let case = build(&format!("{call}\n%read = OpLoad %float %local\nOpStore %out %read"), "");
    assert!(off(&case).remains("y"));
    // The function writes where others may read.
    let writes = functions.replace("OpStore %pointer", "OpStore %out");
    let case = with_debug(type_, call, "OpStore %out %y", &writes);
    assert!(off(&case).remains("y"));
}
