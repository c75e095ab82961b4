//! Small shaders that use one feature or property.

use ash::vk;

use super::rows::UseRow;

/// A module that uses a feature or a property, or nothing.
#[derive(Clone)]
pub struct UseCase {
    /// Name of the case: the feature to leave out, and more after a colon.
    pub name: String,
    /// True if lavapipe does not have the feature or property.
    pub is_absent: bool,
    /// The requested version of Vulkan.
    pub api: u32,
    /// The version of SPIR-V for the assembler.
    pub spirv: &'static str,
    /// The rules by which the module is valid.
    pub rules: &'static str,
    pub stage: &'static str,
    pub memory_model: &'static str,
    pub capabilities: String,
    pub interface: &'static str,
    pub modes: String,
    pub globals: String,
    pub code: String,
}

const FRAME: &str = "OpCapability Shader
CAPABILITIES
OpMemoryModel Logical MEMORY
OpEntryPoint STAGE %main \"main\" INTERFACE
MODES
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%v2 = OpTypeVector %uint 2
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%u3 = OpConstant %uint 3
GLOBALS
%main = OpFunction %void None %fn
%in = OpLabel
CODE
OpReturn
OpFunctionEnd
";

pub const COMPUTE: &str = "OpExecutionMode %main LocalSize 1 1 1\n";
pub const FRAGMENT: &str = "OpExecutionMode %main OriginUpperLeft\n";
pub const MESH: &str = "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main OutputVertices 3\n\
                    OpExecutionMode %main OutputPrimitivesEXT 1\nOpExecutionMode %main OutputTrianglesEXT\n";
pub const SUBGROUPS: &str = "OpCapability GroupNonUniform\nOpCapability GroupNonUniformArithmetic\n\
                         OpCapability GroupNonUniformBallot\nOpCapability GroupNonUniformQuad\n";
pub const INT8: (&str, &str) = ("OpCapability Int8\n", "OpTypeInt 8 0");
pub const INT16: (&str, &str) = ("OpCapability Int16\n", "OpTypeInt 16 0");
pub const FLOAT16: (&str, &str) = ("OpCapability Float16\n", "OpTypeFloat 16");
pub const INT64: (&str, &str) = ("OpCapability Int64\nOpCapability Int64Atomics\n", "OpTypeInt 64 0");
pub const UNTYPED: &str = "OpCapability UntypedPointersKHR\nOpExtension \"SPV_KHR_untyped_pointers\"\n";
pub const EXPLICIT_WORKGROUP: &str = "OpCapability WorkgroupMemoryExplicitLayoutKHR\n\
                                  OpExtension \"SPV_KHR_workgroup_memory_explicit_layout\"\n";

impl UseCase {
    pub fn new(name: &str, stage: &'static str, modes: &str) -> UseCase {
        UseCase {
            name: name.to_owned(),
            is_absent: false,
            api: vk::API_VERSION_1_3,
            spirv: "spv1.3",
            rules: "vulkan1.3",
            stage,
            memory_model: "GLSL450",
            capabilities: String::new(),
            interface: "",
            modes: modes.to_owned(),
            globals: String::new(),
            code: String::new(),
        }
    }

    pub fn compute(name: &str) -> UseCase {
        UseCase::new(name, "GLCompute", COMPUTE)
    }

    /// True if it needs a driver with cooperative matrices.
    pub fn has_cooperative_matrices(&self) -> bool {
        self.text().contains("CooperativeMatrixKHR")
    }

    pub fn capable(mut self, capabilities: &str) -> UseCase {
        self.capabilities.push_str(capabilities);
        self
    }

    pub fn code(mut self, code: &str) -> UseCase {
        self.code.push_str(code);
        self
    }

    pub fn modes(mut self, modes: &str) -> UseCase {
        self.modes.push_str(modes);
        self
    }

    pub fn globals(mut self, globals: &str) -> UseCase {
        self.globals.push_str(globals);
        self
    }

    /// Marks the feature or property as one that lavapipe does not have.
    pub fn absent(self) -> UseCase {
        UseCase { is_absent: true, ..self }
    }

    /// Returns the feature or property; an empty name if the shader uses none.
    pub fn member(&self) -> &str {
        self.name.split(':').next().unwrap_or_default()
    }

    /// Returns the row of the table for the shader: the first one that its version of Vulkan has.
    pub fn row<'r>(&self, table: &'r [UseRow]) -> Option<&'r UseRow> {
        let is_for = |row: &&UseRow| row.member == self.member() && row.is_of(self.stage, self.api);
        table.iter().filter(|row| !row.is_alternative).find(is_for)
    }

    /// Returns the same shader on other versions of Vulkan, if these have the feature in another structure.
    pub fn on_other_versions(&self, table: &[UseRow]) -> Vec<UseCase> {
        let versions = [(1, self.spirv == "spv1.3"), (4, true)].into_iter().filter(|version| version.1);
        let other = |(minor, _): (u32, bool)| {
            let separator = if self.name.contains(':') { "," } else { ":" };
            let name = format!("{}{separator} Vulkan 1.{minor}", self.name);
            UseCase { name, api: vk::make_api_version(0, 1, minor, 0), ..self.clone() }
        };
        versions.map(other).filter(|other| other.row(table) != self.row(table)).collect()
    }

    /// Adds a variable `x` with a block of one member, and loads that.
    pub fn block(mut self, class: &str, (capabilities, type_): (&str, &str)) -> UseCase {
        self.capabilities.push_str(capabilities);
        self.modes.push_str("OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n");
        self.globals.push_str(&format!("%t = {type_}\n"));
        self.code.push_str("%a = OpAccessChain %q %x %u0\n%l = OpLoad %t %a\n");
        self.variable(class)
    }

    fn variable(mut self, class: &str) -> UseCase {
        let binding = match class {
            "StorageBuffer" => Some(0),
            "Uniform" => Some(1),
            _ => None,
        };
        if let Some(binding) = binding {
            self.modes.push_str(&format!("OpDecorate %x DescriptorSet 0\nOpDecorate %x Binding {binding}\n"));
        }
        self.globals.push_str(&format!(
            "%block = OpTypeStruct %t\n%p = OpTypePointer {class} %block\n%x = OpVariable %p {class}\n\
             %q = OpTypePointer {class} %t\n"
        ));
        self
    }

    /// Adds an untyped variable with a block of bytes, and loads a type from it.
    pub fn untyped(mut self, loaded: &str) -> UseCase {
        self.modes.push_str(
            "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\nOpDecorate %bytes ArrayStride 1\n\
             OpDecorate %x DescriptorSet 0\nOpDecorate %x Binding 0\n",
        );
        self.globals.push_str(
            "%byte = OpTypeInt 8 0\n%bytes = OpTypeRuntimeArray %byte\n%block = OpTypeStruct %bytes\n\
             %p = OpTypeUntypedPointerKHR StorageBuffer\n%x = OpUntypedVariableKHR %p StorageBuffer %block\n",
        );
        let type_ = if loaded == INT8.1 { "%byte" } else { "%t" };
        if type_ == "%t" {
            self.globals.push_str(&format!("%t = {loaded}\n"));
        }
        self.code.push_str(&format!("%l = OpLoad {type_} %x\n"));
        self
    }

    /// Adds an atomic operation on memory of a type: in a block, or in workgroup memory.
    pub fn atomic(mut self, class: &str, (capabilities, type_): (&str, &str), code: &str) -> UseCase {
        self.capabilities.push_str(capabilities);
        self.globals.push_str(&format!("%t = {type_}\n%one = OpConstant %t 1\n"));
        self.modes.push_str("OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n");
        let scope = if class == "Workgroup" { "%u2" } else { "%u1" };
        self.code.push_str(&format!("%a = OpAccessChain %q %x %u0\n{}\n", code.replace("SCOPE", scope)));
        let mut case = self.variable(class);
        if class == "Workgroup" {
            // Without an explicit layout.
            case.modes = COMPUTE.to_owned();
        }
        case
    }

    /// Adds an atomic operation on the texels of an image.
    pub fn image_atomic(mut self, format: &str, (capabilities, type_): (&str, &str), code: &str) -> UseCase {
        self.capabilities.push_str(capabilities);
        self.modes.push_str("OpDecorate %x DescriptorSet 0\nOpDecorate %x Binding 2\n");
        self.globals.push_str(&format!(
            "%t = {type_}\n%one = OpConstant %t 1\n%image = OpTypeImage %t 2D 0 0 0 2 {format}\n\
             %p = OpTypePointer UniformConstant %image\n%x = OpVariable %p UniformConstant\n\
             %q = OpTypePointer Image %t\n%zero = OpConstantComposite %v2 %u0 %u0\n"
        ));
        self.code.push_str(&format!(
            "%a = OpImageTexelPointer %q %x %zero %u0\n{}\n",
            code.replace("SCOPE", "%u1")
        ));
        self
    }

    pub fn text(&self) -> String {
        let text = FRAME.replace("STAGE", self.stage).replace("MEMORY", self.memory_model);
        let text = text.replace("CAPABILITIES\n", &self.capabilities);
        let text = text.replace("INTERFACE", self.interface).replace("MODES\n", &self.modes);
        text.replace("GLOBALS\n", &self.globals).replace("CODE\n", &self.code)
    }
}
