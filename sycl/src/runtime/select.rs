//! The images of a kernel for a device (docs/design/device-if.md, "Changes to the DPC++ runtime").

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::Hash;

use super::{LoadedImage, LoadedProgram, RuntimeError};
use spirv_if::device::Device;
use spirv_if::engine::collections::OrderedMap;
use spirv_if::engine::compatibility::check_requirements;
use spirv_if::engine::condition::{Expr, Leaf, Truth, conjunction, evaluate};
use spirv_if::engine::device::DeviceNames;
use spirv_if::engine::metadata::property_sets::DeviceRequirements;
use spirv_if::engine::pipelines::PipelineError;
use spirv_if::specialize::Compatibility;

/// The reason why an image is selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectionCause {
    /// The image has the kernel.
    Kernel,
    /// The image exports a name that another one imports.
    Import {
        /// The name.
        name: String,
        /// The index of the image that imports it.
        importer: usize,
    },
    /// The image is the add-on image for the device.
    AddOn {
        /// The id of the pair.
        id: String,
        /// True if it has the real definitions because the condition holds on the device.
        real: bool,
        /// The condition.
        condition: Expr,
        /// The index of the image that requires the pair.
        parent: usize,
    },
}

/// An image that is selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenImage {
    /// The image's index in the program.
    pub image: usize,
    /// The reasons, at least one.
    pub reasons: Vec<SelectionCause>,
}

/// The images of a kernel for all devices with the same answers.
#[derive(Debug, Default)]
pub struct SelectedImages {
    /// The images. The first has the kernel.
    pub images: Vec<ChosenImage>,
    /// The requirements of all selected images.
    pub requirements: DeviceRequirements,
    /// The requirements that devices with these answers do not meet.
    pub checked: Compatibility,
    /// The modules made of the images.
    pub(super) linked: super::link::LinkedModules,
}

/// The unfinished selection.
struct ImageSelector<'p> {
    program: &'p LoadedProgram,
    device: &'p Device,
    images: Vec<ChosenImage>,
    /// The position in the selection, by image.
    places: HashMap<usize, usize>,
    /// The selected image that exports a symbol, by symbol.
    exporters: HashMap<&'p str, usize>,
    /// The symbols that two selected images export, and the two images.
    exported_twice: Vec<(&'p str, usize, usize)>,
    /// The number of images whose add-on images are selected.
    with_add_ons: usize,
    /// The number of images whose imports are resolved.
    resolved: usize,
    /// Edges from a selected image to an image that it imports from. Neither is an add-on image.
    imports: Vec<(usize, usize)>,
    /// Edges from a selected image to an add-on image that it requires.
    add_ons: Vec<(usize, usize)>,
}

/// Selects the images of a kernel, starting with the image that has it.
///
/// # Errors
/// See [`RuntimeError`].
pub(super) fn select(
    program: &LoadedProgram,
    main: usize,
    device: &Device,
) -> Result<SelectedImages, PipelineError> {
    let mut selection = ImageSelector {
        program,
        device,
        images: Vec::new(),
        places: HashMap::new(),
        exporters: HashMap::new(),
        exported_twice: Vec::new(),
        with_add_ons: 0,
        resolved: 0,
        imports: Vec::new(),
        add_ons: Vec::new(),
    };
    selection.add(main, SelectionCause::Kernel);
    while selection.resolved < selection.images.len() {
        selection.add_add_ons()?;
        selection.resolve_next()?;
    }
    selection.check_exports()?;
    for edges in [&selection.add_ons, &selection.imports] {
        if let Some(images) = circle(edges) {
            let images = images.into_iter().map(|image| program.images[image].name().to_owned()).collect();
            return Err(RuntimeError::Cycle { images }.into());
        }
    }
    let images = selection.images;
    let requirements = union(images.iter().map(|selected| &program.images[selected.image].requirements));
    let checked = check_requirements(device, &requirements);
    Ok(SelectedImages { images, requirements, checked, ..SelectedImages::default() })
}

impl<'p> ImageSelector<'p> {
    fn image(&self, image: usize) -> &'p LoadedImage {
        &self.program.images[image]
    }

    /// Selects an image, or adds a reason for it.
    fn add(&mut self, image: usize, reason: SelectionCause) {
        if let Some(&place) = self.places.get(&image) {
            let reasons = &mut self.images[place].reasons;
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
            return;
        }
        self.places.insert(image, self.images.len());
        self.images.push(ChosenImage { image, reasons: vec![reason] });
        for name in &self.image(image).source.symbols {
            match self.exporters.entry(name) {
                Entry::Occupied(first) => self.exported_twice.push((name, *first.get(), image)),
                Entry::Vacant(place) => {
                    place.insert(image);
                }
            }
        }
    }

    /// Checks that no imported name has two selected exporters.
    fn check_exports(&self) -> Result<(), RuntimeError> {
        let is_imported =
            |name: &str| self.images.iter().any(|chosen| self.image(chosen.image).imports(name));
        match self.exported_twice.iter().find(|(name, ..)| is_imported(name)) {
            Some(&(name, first, second)) => {
                let [first, second] = [first, second].map(|image| self.image(image).name().to_owned());
                Err(RuntimeError::TwoExports { name: name.to_owned(), first, second })
            }
            None => Ok(()),
        }
    }

    /// Selects the add-on images of all selected images, and in turn their add-on images.
    fn add_add_ons(&mut self) -> Result<(), PipelineError> {
        while let Some(selected) = self.images.get(self.with_add_ons) {
            let parent = selected.image;
            self.with_add_ons += 1;
            for (id, condition) in &self.image(parent).add_ons {
                let truth = evaluate(condition, &|leaf| self.device.truth(leaf))?;
                let real = match truth {
                    Truth::True => true,
                    Truth::False => false,
                    Truth::Unknown => {
                        return Err(RuntimeError::Unknown {
                            image: self.image(parent).name().to_owned(),
                            id: id.clone(),
                            condition: condition.display(&DeviceNames).to_string(),
                            device: spirv_if::engine::compatibility::label(&self.device.name).to_owned(),
                            advice: advice(condition, self.device),
                        }
                        .into());
                    }
                };
                // The other half may have been removed for this device.
                let image = self.program.add_on(parent, id, real)?;
                self.add_ons.push((parent, image));
                let (id, condition) = (id.clone(), condition.clone());
                self.add(image, SelectionCause::AddOn { id, real, condition, parent });
            }
        }
        Ok(())
    }

    /// Selects the images that the next image imports from.
    fn resolve_next(&mut self) -> Result<(), PipelineError> {
        let importer = self.images[self.resolved].image;
        self.resolved += 1;
        for (name, condition) in &self.image(importer).imports {
            // If the condition is unknown here, it is decided when the conditions of the image are decided.
            if evaluate(condition, &|leaf| self.device.truth(leaf))? == Truth::False {
                continue;
            }
            let exporter = match self.exporters.get(name.as_str()) {
                Some(&exporter) => exporter,
                None => match self.program.exporter(importer, name)? {
                    Some(exporter) => exporter,
                    // The import is a variable of a selected image, a function of the driver, or undefined. Linking checks it.
                    None => continue,
                },
            };
            let is_add_on = |image: usize| self.image(image).add_on.is_some();
            if is_add_on(exporter) {
                continue;
            }
            if !is_add_on(importer) {
                self.imports.push((importer, exporter));
            }
            if self.places.get(&exporter) != Some(&0) {
                self.add(exporter, SelectionCause::Import { name: name.clone(), importer });
            }
        }
        Ok(())
    }
}

/// Returns the combined requirements of several images. Fixed targets are the common ones.
fn union<'r>(all: impl Iterator<Item = &'r DeviceRequirements>) -> DeviceRequirements {
    let mut union = DeviceRequirements::default();
    for more in all {
        extend(&mut union.aspects, &more.aspects);
        extend(&mut union.sub_group_sizes, &more.sub_group_sizes);
        extend(&mut union.work_group_sizes, &more.work_group_sizes);
        extend(&mut union.conditional, &more.conditional);
        union.condition = match (union.condition.take(), &more.condition) {
            (Some(all), Some(more)) if all != *more => Some(conjunction(&all, more)),
            (all, more) => all.or_else(|| more.clone()),
        };
        union.fixed_targets = match (union.fixed_targets.take(), &more.fixed_targets) {
            (Some(mut targets), Some(more)) => {
                targets.retain(|target| more.contains(target));
                Some(targets)
            }
            (Some(targets), None) => Some(targets),
            (None, more) => more.clone(),
        };
    }
    union
}

/// Appends the missing items, in their order.
fn extend<T: Clone + Eq + Hash>(all: &mut Vec<T>, items: &[T]) {
    let mut known: HashSet<T> = all.iter().cloned().collect();
    all.extend(items.iter().filter(|item| known.insert((*item).clone())).cloned());
}

/// Returns advice how to make a condition known on a device: the host's first missing decision, or else more about the device.
fn advice(condition: &Expr, device: &Device) -> String {
    let open = condition.leaves().into_iter().find_map(|leaf| match leaf {
        Leaf::Host(name) if device.truth(leaf).is_none() => Some(name),
        _ => None,
    });
    match open {
        Some(name) => format!("the host decides it: set `{name}` to true or false"),
        None => "describe the device in more detail, for example its aspects".to_owned(),
    }
}

/// The features in conditions and requirements of the images of a kernel.
#[derive(Debug, Default)]
pub struct DeviceQuestions {
    pub leaves: BTreeSet<Leaf>,
    sub_group_sizes: BTreeSet<u32>,
    /// True if there is a required work-group size.
    work_groups: bool,
}

/// The answers of a device. Devices with equal answers get the same images, and all or none of them run these.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DeviceAnswers {
    leaves: Vec<Option<bool>>,
    sub_group_sizes: Vec<Option<bool>>,
    /// All sizes that the device has, as messages name them; none if no image requires a size.
    has_sub_group_sizes: Vec<u32>,
    max_work_group_size: Option<u32>,
    /// The answer for a small work-group, if an image requires a size and the limit is not known.
    runs_small_work_groups: Option<bool>,
}

impl DeviceQuestions {
    /// Collects the questions of all images that may be selected for a kernel.
    pub fn new(program: &LoadedProgram, main: usize) -> DeviceQuestions {
        let mut all = DeviceQuestions::default();
        for image in program.reachable(main) {
            let image = &program.images[image];
            for (_, condition) in image.add_ons.iter().chain(&image.imports) {
                all.leaves.extend(condition.leaves());
            }
            all.leaves.extend(image.special.leaves().map(|(_, leaf)| leaf));
            let required = &image.requirements;
            let mut aspects: BTreeSet<u32> = required.aspects.iter().copied().collect();
            aspects.extend(required.fixed_targets.iter().flatten());
            all.sub_group_sizes.extend(&required.sub_group_sizes);
            all.work_groups |= !required.work_group_sizes.is_empty();
            let conditions = required.conditional.iter().map(|conditional| &conditional.condition);
            for condition in required.condition.iter().chain(conditions) {
                if let Ok(condition) = Expr::from_series(condition) {
                    all.leaves.extend(condition.leaves());
                }
            }
            for conditional in &required.conditional {
                aspects.extend(&conditional.aspects);
                all.sub_group_sizes.extend(&conditional.sub_group_sizes);
                all.work_groups |= !conditional.work_group_sizes.is_empty();
            }
            all.leaves.extend(aspects.into_iter().map(Leaf::Aspect));
        }
        all
    }

    /// Returns the answers of a device.
    pub fn answers(&self, device: &Device) -> DeviceAnswers {
        DeviceAnswers {
            leaves: self.leaves.iter().map(|&leaf| device.truth(leaf)).collect(),
            sub_group_sizes: self
                .sub_group_sizes
                .iter()
                .map(|&size| device.has_sub_group_size(size))
                .collect(),
            has_sub_group_sizes: match self.sub_group_sizes.is_empty() {
                true => Vec::new(),
                false => device.facts.sub_group_sizes.to_vec(),
            },
            max_work_group_size: device.facts.max_work_group_size.filter(|_| self.work_groups),
            runs_small_work_groups: device.supports_work_group_size(2).filter(|_| self.work_groups),
        }
    }
}

/// Returns the first cycle along edges, with its first node repeated at the end.
pub fn circle(edges: &[(usize, usize)]) -> Option<Vec<usize>> {
    let mut next: OrderedMap<usize, Vec<usize>> = OrderedMap::new();
    for &(from, to) in edges {
        next.entry(from).or_default().push(to);
    }
    let successors = |node: usize| next.get(&node).map_or(&[][..], Vec::as_slice);
    let mut done = BTreeSet::new();
    for &start in next.keys() {
        // The path to the current node, and for each node the number of followed edges.
        let mut path = vec![(start, 0)];
        while let Some((node, followed)) = path.last_mut() {
            let Some(&to) = successors(*node).get(*followed).filter(|_| !done.contains(node)) else {
                done.insert(*node);
                path.pop();
                continue;
            };
            *followed += 1;
            if let Some(first) = path.iter().position(|(node, _)| *node == to) {
                let circle = path[first..].iter().map(|(node, _)| *node);
                return Some(circle.chain([to]).collect());
            }
            path.push((to, 0));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::circle;

    #[test]
    fn circles() {
        assert_eq!(circle(&[]), None);
        assert_eq!(circle(&[(0, 1), (0, 2), (1, 3), (2, 3)]), None, "a diamond is none");
        assert_eq!(circle(&[(0, 1), (1, 2), (2, 1)]), Some(vec![1, 2, 1]));
        assert_eq!(circle(&[(4, 4)]), Some(vec![4, 4]));
        let row: Vec<(usize, usize)> = (0..100_000).map(|at| (at, at + 1)).collect();
        assert_eq!(circle(&row[..20_000]), None);
    }
}
