//! The questions to a device that decide which images of a kernel are selected, and whether it runs them.

use std::collections::BTreeSet;

use super::Program;
use crate::condition::{Expr, Leaf};
use crate::device::Device;

/// The features that the images of a kernel ask for, in conditions and in requirements.
#[derive(Debug, Default)]
pub struct Questions {
    leaves: BTreeSet<Leaf>,
    sub_group_sizes: BTreeSet<u32>,
    /// True if there is a required work-group size.
    work_groups: bool,
}

/// The answers of a device: others with the same ones get the same images, which they run or do not run alike.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Answers {
    leaves: Vec<Option<bool>>,
    sub_group_sizes: Vec<Option<bool>>,
    max_work_group_size: Option<u32>,
}

impl Questions {
    /// Those of the images that may be selected with the image of a kernel.
    pub fn of(program: &Program, main: usize) -> Questions {
        let mut all = Questions::default();
        for image in program.reachable(main) {
            let image = &program.images[image];
            for (_, condition) in &image.add_ons {
                all.leaves.extend(condition.leaves());
            }
            all.leaves.extend(image.special.leaves().map(|(_, leaf)| leaf));
            let required = &image.requirements;
            let mut aspects: BTreeSet<u32> = required.aspects.iter().copied().collect();
            aspects.extend(required.fixed_targets.iter().flatten());
            all.sub_group_sizes.extend(&required.sub_group_sizes);
            all.work_groups |= !required.work_group_sizes.is_empty();
            for conditional in &required.conditional {
                if let Ok(condition) = Expr::from_series(&conditional.condition) {
                    all.leaves.extend(condition.leaves());
                }
                aspects.extend(&conditional.aspects);
                all.sub_group_sizes.extend(&conditional.sub_group_sizes);
                all.work_groups |= !conditional.work_group_sizes.is_empty();
            }
            all.leaves.extend(aspects.into_iter().map(Leaf::Aspect));
        }
        all
    }

    /// The answers of a device.
    pub fn answers(&self, device: &Device) -> Answers {
        Answers {
            leaves: self.leaves.iter().map(|&leaf| device.truth(leaf)).collect(),
            sub_group_sizes: self
                .sub_group_sizes
                .iter()
                .map(|&size| device.has_sub_group_size(size))
                .collect(),
            max_work_group_size: device.max_work_group_size.filter(|_| self.work_groups),
        }
    }
}
