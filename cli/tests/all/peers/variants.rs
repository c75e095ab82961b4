//! SPIRV-Tools' tests of the validator for SPV_INTEL_function_variants: which declarations the constructs of the extension need. All that
//! spirv-val accepts is packed, trimmed and specialized, with valid results; and a module that declares too little is valid when specialized.

use spirv_if::specialize::UnsetPolicy;
use spirv_if::trim::trim;
use spirv_if::{Device, Error, Module, PackOptions, Prepared, Settings, pack};
use spirv_if_inspect::{InspectOptions, inspect};
use spirv_if_sycl::check::{CheckOptions, check};

use crate::common::program::expand;
use crate::common::{assemble, is_valid, validate};

/// The version of all modules: OpenCL takes nothing newer.
const VERSION: &str = "spv1.2";

/// Constructs of the extension, each alone.
const CONSTRUCTS: [&str; 8] = [
    "OpConditionalCapabilityINTEL %c Int8\n%c = OpSpecConstantTrue %bool",
    "OpConditionalExtensionINTEL %c \"SPV_KHR_expect_assume\"\n%c = OpSpecConstantTrue %bool",
    "OpConditionalEntryPointINTEL %c Kernel %main \"main\"\n%c = OpSpecConstantTrue %bool",
    "OpDecorate %f ConditionalINTEL %c\n%c = OpSpecConstantTrue %bool\nFN %f\nEND",
    "%c = OpSpecConstantTrue %bool\nFN %f\n%x = OpConditionalCopyObjectINTEL %int %c %i1\nEND",
    "%c = OpSpecConstantTargetINTEL %bool 4",
    "%c = OpSpecConstantArchitectureINTEL %bool 2 1 174 21",
    "%c = OpSpecConstantCapabilitiesINTEL %bool Kernel",
];

/// Declarations of the modules.
const DECLARED: [&str; 7] = [
    "",
    "OpExtension",
    "OpCapability SpecConditionalINTEL",
    "OpCapability FunctionVariantsINTEL",
    "OpCapability SpecConditionalINTEL\nOpExtension",
    "OpCapability FunctionVariantsINTEL\nOpExtension",
    "OpCapability SpecConditionalINTEL\nOpCapability FunctionVariantsINTEL\nOpExtension",
];

/// The number of constructs that need FunctionVariantsINTEL: the device constants, which are the last.
const DEVICE_CONSTANTS: usize = 3;

/// A module specialized for a device on which its conditions are known.
fn specialized(module: &Module) -> Result<Vec<u32>, Error> {
    let device = Device::embedded("intel_gpu_pvc").unwrap();
    let settings = Settings::new().unset(UnsetPolicy::Default);
    Ok(Prepared::new(module)?.specialize(&device, &settings)?.words)
}

fn constructs_need_what_spirv_val_says() {
    let mut valid = 0;
    for construct in CONSTRUCTS {
        for declared in DECLARED {
            let declared = declared.replace("OpExtension", "OpExtension \"SPV_INTEL_function_variants\"");
            let text = expand(&format!("KERNEL\n{declared}\n{construct}\nFN %main\nEND"));
            let words = assemble(&text, VERSION);
            let module = Module::from_words(&words[..]).unwrap();
            let special = specialized(&module).unwrap();
            inspect(&module, &InspectOptions::default()).unwrap();
            check(&module, &CheckOptions::default()).unwrap();
            let packed = pack(&module, &PackOptions::default()).unwrap();
            let validated = validate(&special, VERSION);
            if is_valid(&words, VERSION) {
                valid += 1;
                validated.unwrap();
                validate(&packed.words, VERSION).unwrap();
                validate(&trim(&module).unwrap().words, VERSION).unwrap();
            } else {
                // Undeclared capabilities are removed with the constructs.
                validated.unwrap_or_else(|error| panic!("{error}\nfrom {text}"));
            }
            let warns = packed.summary.warnings.iter().any(|warning| warning.contains("does not declare"));
            assert_eq!(warns, !is_valid(&words, VERSION), "{:?}\nof {text}", packed.summary.warnings);
        }
    }
    // Both capabilities are enough for all of them, with the extension.
    assert_eq!(valid, 3 * CONSTRUCTS.len() - DEVICE_CONSTANTS);
}

tests![constructs_need_what_spirv_val_says];
