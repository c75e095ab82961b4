//! Features of Vulkan that no capability names: Khronos' layer complains about a module on a device without one exactly where the library
//! says that the device is missing something.

mod cases;
mod layered;
mod limits;
mod rows;
mod rules;
mod shader;

use spirv_if::Module;
use spirv_if::module::Version;
use spirv_if_inspect::VulkanRequirements;

use super::VulkanResult;
use crate::common::{assemble_named, validate};
use crate::drivers::{NOT_RUN, is_brought};
pub use cases::cases;
pub use layered::LayeredVulkan;
pub use limits::{cases as limit_cases, check as check_limit};
use rows::UseRow;
pub use rules::{comparison_finds_mistakes, every_rule_has_a_row, layer};
pub use shader::{INT16, SUBGROUPS, UseCase};

/// The rows of the table that are not shown with the layer, each by a part of its line, and why.
const WITHOUT_CASE: &[(&str, &str)] = &[
    ("16-bit types in a storage buffer,,storageBuffer8BitAccess", NO_EXCEPTION),
    ("16-bit types in a uniform block,,uniformAndStorageBuffer8BitAccess", NO_EXCEPTION),
    ("16-bit types in a push constant,,storagePushConstant8", NO_EXCEPTION),
    ("16-bit types in a workgroup block,,workgroupMemoryExplicitLayout8BitAccess", NO_EXCEPTION),
    ("subgroupSupportedStages,VK_SHADER_STAGE_FRAGMENT_BIT", PRESENT),
    ("subgroupSupportedStages,VK_SHADER_STAGE_TASK_BIT_EXT", PRESENT),
    ("subgroupSupportedStages,VK_SHADER_STAGE_MESH_BIT_EXT", PRESENT),
    ("subgroupQuadOperationsInAllStages", PRESENT),
    ("shaderSignedZeroInfNanPreserveFloat", PRESENT),
    ("shaderRoundingModeRTEFloat", PRESENT),
    ("cooperativeMatrixSupportedStages,VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT", ALIKE),
    ("cooperativeMatrixSupportedStages,VK_SHADER_STAGE_TASK_BIT_EXT", ALIKE),
    ("cooperativeMatrixSupportedStages,VK_SHADER_STAGE_MESH_BIT_EXT", ALIKE),
    ("cooperativeMatrixSupportedStages,VK_SHADER_STAGE_RAYGEN_BIT_KHR", ALIKE),
    ("cooperativeMatrixSupportedStages,VK_SHADER_STAGE_INTERSECTION_BIT_KHR", ALIKE),
    ("cooperativeMatrixSupportedStages,VK_SHADER_STAGE_ANY_HIT_BIT_KHR", ALIKE),
    ("cooperativeMatrixSupportedStages,VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR", ALIKE),
    ("cooperativeMatrixSupportedStages,VK_SHADER_STAGE_MISS_BIT_KHR", ALIKE),
    ("cooperativeMatrixSupportedStages,VK_SHADER_STAGE_CALLABLE_BIT_KHR", ALIKE),
    ("shaderTensorSupportedStages,VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT", ALIKE),
    ("shaderTensorSupportedStages,VK_SHADER_STAGE_TASK_BIT_EXT", ALIKE),
    ("shaderTensorSupportedStages,VK_SHADER_STAGE_MESH_BIT_EXT", ALIKE),
    ("shaderTensorSupportedStages,VK_SHADER_STAGE_RAYGEN_BIT_KHR", ALIKE),
    ("shaderTensorSupportedStages,VK_SHADER_STAGE_INTERSECTION_BIT_KHR", ALIKE),
    ("shaderTensorSupportedStages,VK_SHADER_STAGE_ANY_HIT_BIT_KHR", ALIKE),
    ("shaderTensorSupportedStages,VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR", ALIKE),
    ("shaderTensorSupportedStages,VK_SHADER_STAGE_MISS_BIT_KHR", ALIKE),
    ("shaderTensorSupportedStages,VK_SHADER_STAGE_CALLABLE_BIT_KHR", ALIKE),
    ("VkPhysicalDeviceCooperativeVectorPropertiesNV", EARLIER),
    ("meshAndTaskShaderDerivatives", MESHES),
    ("tileShadingAtomicOps", TILES),
    ("tileShadingImageProcessing", TILES),
    ("VkPhysicalDevicePortabilitySubsetFeaturesKHR", PORTABLE),
    ("BehaviorIndependence,", PRESENT),
    ("ModeIndependence,", PRESENT),
    ("subgroupBroadcastDynamicId", NOT_CHECKED),
    ("shaderEarlyAndLateFragmentTests", NOT_CHECKED),
];
const ALIKE: &str = "like the stages of the property that have cases; pipelines of this one need more";
const EARLIER: &str =
    "lavapipe has no cooperative vectors, and the layer already complains about the capability";
const MESHES: &str = "lavapipe has no derivatives in mesh and task shaders that a case could be without";
const TILES: &str = "lavapipe has no tile attachments";
const PORTABLE: &str = "lavapipe does not have VK_KHR_portability_subset";
const NO_EXCEPTION: &str = "the layer complains about this alternative, which the text of its rule allows";
const PRESENT: &str = "lavapipe has the property, and properties cannot be disabled";
const NOT_CHECKED: &str = "the layer has the text of the rule, and never complains";

/// Checks that each row of the table has a case, or a reason for having none.
pub fn every_row_has_a_case() -> Result<(), String> {
    let table = UseRow::table();
    let all = cases();
    let with_case: Vec<&UseRow> = all.iter().filter_map(|case| case.row(&table)).collect();
    let problem = |row: &UseRow| {
        let reasons = WITHOUT_CASE.iter().filter(|(part, _)| row.line.contains(part)).count();
        match (with_case.contains(&row), reasons) {
            (true, 0) | (false, 1) => None,
            (true, _) => Some(format!("{}: has a case", row.line)),
            (false, 0) => Some(format!("{}: has no case", row.line)),
            (false, _) => Some(format!("{}: has {reasons} reasons", row.line)),
        }
    };
    let mut problems: Vec<String> = table.iter().filter_map(problem).collect();
    let is_of_no_row = |part: &str| !table.iter().any(|row| row.line.contains(part));
    let unused = WITHOUT_CASE.iter().filter(|(part, _)| is_of_no_row(part));
    problems.extend(unused.map(|(part, _)| format!("{part}: is in no row")));
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// The version of an API number.
fn version_of(api: u32) -> Version {
    Version::new(1, ash::vk::api_version_minor(api) as u8)
}

/// Checks a case: with all features enabled that the library lists, neither the layer nor the library complains; without the one in
/// question, both do. On a device that does not have it, both complain at once.
pub fn check(case: &UseCase) -> VulkanResult<String> {
    let (words, _) = assemble_named(&case.text(), case.spirv);
    validate(&words, case.rules)?;
    let module = Module::from_words(&words[..])?;
    let mut vulkan = LayeredVulkan::open(case.api, false)?;
    let device = vulkan.described(None)?;
    let required = VulkanRequirements::new(&module, version_of(case.api), Some(&device))?;
    let member = case.member();
    let table = UseRow::table();
    let row = case.row(&table);
    let is_absent = !member.is_empty() && is_missing(member, &required);
    if is_brought() && is_absent != case.is_absent {
        return Err(format!("{member} is {}there: {required:?}", if is_absent { "not " } else { "" }).into());
    }
    // A driver may crash at what it does not have.
    if is_absent {
        vulkan = LayeredVulkan::open(case.api, true)?;
    } else if !required.missing().is_empty() {
        let lacks = format!("the device does not have {:?}", required.missing());
        return if is_brought() { Err(lacks.into()) } else { Ok(format!("{NOT_RUN}{lacks}")) };
    }
    let errors = vulkan.errors(&words, case.stage, &required, None)?;
    if is_absent {
        if errors.is_empty() {
            return Err(format!("{:?}, but the layer: {errors:?}", required.missing()).into());
        }
        return by_rule(row, &errors);
    }
    if !errors.is_empty() {
        return Err(format!("{required:?}, but the layer: {errors:?}").into());
    }
    if member.is_empty() {
        return Ok("nothing is missing".to_owned());
    }
    let without = required.features().iter().find(|feature| feature.member == member);
    let Some(&without) = without else {
        return match case.is_absent {
            true => Ok(format!("{NOT_RUN}the device has {member}, and properties cannot be disabled")),
            false => Err(format!("not in {required:?}").into()),
        };
    };
    if row.is_some_and(|row| row.structure != without.structure) {
        return Err(format!("{} is not in the row {row:?}", without.structure).into());
    }
    let errors = vulkan.errors(&words, case.stage, &required, Some(without))?;
    let enabled = vulkan.described(Some((&required, Some(without))))?;
    let lesser = VulkanRequirements::new(&module, version_of(case.api), Some(&enabled))?;
    if errors.is_empty() || !is_missing(member, &lesser) {
        return Err(format!("{:?}, but the layer: {errors:?}", lesser.missing()).into());
    }
    by_rule(row, &errors)
}

/// True if a feature or property is missing, alone or among alternatives.
fn is_missing(member: &str, required: &VulkanRequirements) -> bool {
    let mut alternatives = required.missing().iter().flat_map(|missing| missing.split(" or "));
    alternatives.any(|missing| missing.starts_with(member))
}

/// Checks that one of the errors is of the rule of a row.
fn by_rule(row: Option<&UseRow>, errors: &[String]) -> VulkanResult<String> {
    let row = row.ok_or("no row has the member")?;
    let is_of_rule = |source: &&String| errors.iter().any(|error| error.starts_with(source.as_str()));
    match row.sources.iter().find(is_of_rule) {
        Some(source) => Ok(source.clone()),
        None => Err(format!("no error of {:?}: {errors:?}", row.sources).into()),
    }
}
