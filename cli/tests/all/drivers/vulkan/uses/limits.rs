//! Limits of `spec-extensions/vulkan-limits.csv`: Khronos' layer complains about numbers above them where the library says that the device does
//! not have them.

use spirv_if::Module;
use spirv_if_inspect::VulkanRequirements;

use super::super::VulkanResult;
use super::layered::LayeredVulkan;
use super::shader::UseCase;
use super::version_of;
use crate::common::{assemble_named, root, validate};

/// A number above all limits of drivers here.
const LARGE: u32 = 1 << 20;

/// A row of the table.
pub struct VulkanLimitCase {
    /// The limit, with its index in an array.
    pub limit: String,
    stage: String,
    what: String,
    source: String,
}

/// Returns a case for each row.
pub fn cases() -> Vec<VulkanLimitCase> {
    let text = std::fs::read_to_string(root().join("spec-extensions/vulkan-limits.csv")).unwrap();
    let case = |line: &str| {
        let fields: Vec<String> = line.split(',').map(str::to_owned).collect();
        let [_, limit, stage, what, _, source] = fields.try_into().expect("six fields");
        VulkanLimitCase { limit, stage, what, source }
    };
    text.lines().filter(|line| !line.starts_with('#')).skip(1).map(case).collect()
}

impl VulkanLimitCase {
    /// Returns a shader with a number above the limit, and that number.
    fn shader(&self) -> (UseCase, u32) {
        let (size, number) = match self.what.as_str() {
            "work-items" => ([1024, 1024, 64], 1024 * 1024 * 64),
            "x" => ([LARGE, 1, 1], LARGE),
            "y" => ([1, LARGE, 1], LARGE),
            "z" => ([1, 1, LARGE], LARGE),
            _ => ([1, 1, 1], LARGE),
        };
        let [x, y, z] = size;
        let local_size = format!("OpExecutionMode %main LocalSize {x} {y} {z}\n");
        let mode = |name: &str, least: u32| {
            let number = if self.what == name { LARGE } else { least };
            format!("OpExecutionMode %main {name} {number}\n")
        };
        let mesh = "OpCapability MeshShadingEXT\nOpExtension \"SPV_EXT_mesh_shader\"\n";
        let (capability, stage, modes, code) = match self.stage.as_str() {
            "GLCompute" => ("", "GLCompute", local_size, ""),
            "TaskEXT" => (mesh, "TaskEXT", local_size, ""),
            "MeshEXT" => {
                let modes = [mode("OutputVertices", 3), mode("OutputPrimitivesEXT", 1)].concat();
                let modes = format!("{local_size}{modes}OpExecutionMode %main OutputTrianglesEXT\n");
                (mesh, "MeshEXT", modes, "OpSetMeshOutputsEXT %u0 %u0\n")
            }
            "TessellationControl" => {
                ("OpCapability Tessellation\n", "TessellationControl", mode("OutputVertices", 3), "")
            }
            _ => {
                let modes = [mode("OutputVertices", 3), mode("Invocations", 1)].concat();
                let modes = format!(
                    "OpExecutionMode %main Triangles\nOpExecutionMode %main OutputTriangleStrip\n{modes}"
                );
                ("OpCapability Geometry\n", "Geometry", modes, "")
            }
        };
        let spirv = if capability == mesh { "spv1.4" } else { "spv1.3" };
        let shader = UseCase { spirv, ..UseCase::new(&self.limit, stage, &modes) };
        (shader.capable(capability).code(code), number)
    }
}

/// Checks that both complain about a number above the limit.
pub fn check(case: &VulkanLimitCase) -> VulkanResult<String> {
    let (shader, number) = case.shader();
    let (words, _) = assemble_named(&shader.text(), shader.spirv);
    validate(&words, shader.rules)?;
    let vulkan = LayeredVulkan::open(shader.api, true)?;
    let device = vulkan.described(None)?;
    let module = Module::from_words(&words[..])?;
    let required = VulkanRequirements::new(&module, version_of(shader.api), Some(&device))?;
    let errors = vulkan.errors(&words, shader.stage, &required, None)?;
    let missing = format!("{} of {number}", case.limit);
    if !required.missing().contains(&missing) {
        return Err(format!("{:?}, but the layer: {errors:?}", required.missing()).into());
    }
    match errors.iter().any(|error| error.starts_with(&case.source)) {
        true => Ok(case.source.clone()),
        false => Err(format!("no error of {}: {errors:?}", case.source).into()),
    }
}
