//! Checks that no command runs an analysis twice on one module, with annotations and without. A module is
//! identified by its words: unchanged words must not be analysed again. The requirement rules of `trim` do
//! not count, because it uses no other analysis. Neither do the remedies of single devices, which are found by
//! specializing for each: devices with equal results get equal modules.

use std::collections::BTreeMap;

use super::corpus::annotations;
use crate::CallGraph;
use crate::test_support::{fixtures, in_share};
use crate::{InspectOptions, inspect};
use spirv_if::device::{Api, DeviceConfig, Target};
use spirv_if::link::link;
use spirv_if::module::Annotations;
use spirv_if::pack::Dialect;
use spirv_if::specialize::Driver;
use spirv_if::tally::repeated;
use spirv_if::trim::trim;
use spirv_if::{Device, Error, Module, PackOptions, Prepared, Settings, pack};
use spirv_if_sycl::check::{CheckOptions, check};
use spirv_if_sycl::split::{Jit, PostLink, SplitMode, SplitOptions, split};

/// The calls of a command, like those of the program, for a module and its annotations file.
type CommandCall = dyn Fn(Module, Option<&Annotations>) -> Result<(), Error>;

struct Command {
    name: String,
    run: Box<CommandCall>,
}

/// Creates a command from its calls of the public API with a module and its annotations.
fn command(name: String, call: impl Fn(&Module) -> Result<(), Error> + 'static) -> Command {
    let run = move |module: Module, annotations: Option<&Annotations>| match annotations {
        Some(annotations) => call(&module.with_annotations(annotations)?),
        None => call(&module),
    };
    Command { name, run: Box::new(run) }
}

fn commands() -> Vec<Command> {
    let mut commands = vec![command("trim".to_owned(), |module| trim(module).map(drop))];
    for dialect in [Dialect::SpecConditional, Dialect::FunctionVariants] {
        let options = PackOptions::new().dialect(dialect);
        commands.push(command(format!("pack {dialect:?}"), move |module| pack(module, &options).map(drop)));
    }
    for name in ["intel_gpu_pvc", "nvidia_gpu_sm_50"] {
        let devices = [name, "x86_64"].map(|name| Device::embedded(name).unwrap());
        let ways = [
            ("", Settings::new()),
            (" as it can be", Settings::new().trim(true).work_around(Driver::Nvidia)),
            (" for one entry point", Settings::new().entry_points(["main"])),
        ];
        for (way, settings) in ways {
            let devices = devices.clone();
            commands.push(command(format!("specialize {name}{way}"), move |module| {
                let prepared = Prepared::new(module)?;
                prepared.groups(&devices, &settings)?;
                prepared.specialize(&devices[0], &settings).map(drop)
            }));
        }
    }
    for mode in [SplitMode::Kernel, SplitMode::Off] {
        for jit in [Jit::Declare, Jit::Pack, Jit::AddOn] {
            let options = SplitOptions::new().mode(mode).jit(jit);
            commands.push(command(format!("split {mode:?} {jit:?}"), move |module| {
                let split = split(module, &options)?;
                match jit {
                    Jit::AddOn => split.add_on().map(drop),
                    _ => (0..split.plans().len()).try_for_each(|image| split.image(image).map(drop)),
                }
            }));
        }
    }
    for why in [None, Some("fp64")] {
        let options = InspectOptions::new().each_device("intel_gpu_*").api(Api::Vulkan).skip_remedies(true);
        let options = why.map_or(options.clone(), |why| options.why(why));
        commands.push(command(format!("inspect {why:?}"), move |module| inspect(module, &options).map(drop)));
    }
    commands.push(command("inspect dot".to_owned(), |module| CallGraph::new(module).map(drop)));
    let fixed_targets = vec![Device::embedded("intel_gpu_dg1").unwrap()];
    let options = CheckOptions::new().fixed_targets(fixed_targets);
    commands.push(command("check".to_owned(), move |module| check(module, &options).map(drop)));
    commands.extend(["spir64", "intel_gpu_pvc"].map(|target| Command {
        name: format!("post-link {target}"),
        run: Box::new(move |module, annotations| post_link(module, annotations, target)),
    }));
    commands
}

fn post_link(module: Module, annotations: Option<&Annotations>, target: &str) -> Result<(), Error> {
    let linked = link(&[module], &Default::default())?.module;
    let module = match annotations {
        Some(annotations) => linked.with_annotations(annotations)?,
        None => linked,
    };
    let program = PostLink::new(&module)?;
    let targets = Target::named([target], &DeviceConfig::embedded().unwrap()).unwrap();
    let options = SplitOptions::new().jit(Jit::Pack);
    for group in program.groups(&targets)? {
        program.split(&group, &options, |split| {
            (0..split.plans().len()).try_for_each(|image| split.image(image).map(drop))
        })??;
    }
    Ok(())
}

#[test]
fn no_analysis_runs_twice_on_one_module() {
    let commands = commands();
    let mut all: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    let mut ran = 0;
    for (at, (name, words)) in fixtures().into_iter().enumerate().filter(|(at, _)| in_share(*at, 3)) {
        let packed = pack(&Module::from_words(&words[..]).unwrap(), &PackOptions::default()).unwrap().words;
        let annotations = annotations(&name);
        let mut forms = vec![(&words, None, "")];
        if packed != words {
            forms.push((&packed, None, ", packed"));
        }
        forms.extend(annotations.iter().map(|annotations| (&words, Some(annotations), ", annotated")));
        for (words, annotations, form) in forms {
            // Add-on images are modules of their own, with equal words if nothing is conditional. Each command has every other fixture.
            let commands = commands.iter().filter(|command| !command.name.contains("AddOn"));
            for command in commands.skip(at % 2).step_by(2) {
                let module = Module::from_words(&words[..]).unwrap();
                // A module that a command refuses is analysed up to that error.
                let (repeated, count) = repeated(|| drop((command.run)(module, annotations)));
                ran += count;
                for analysis in repeated {
                    all.entry((&command.name, analysis)).or_default().push(format!("{name}{form}"));
                }
            }
        }
    }
    assert!(all.is_empty(), "{all:#?}");
    assert!(ran > 5_000, "{ran}");
}
