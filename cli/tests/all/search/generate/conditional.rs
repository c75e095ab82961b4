//! Code for some devices only: functions whose names have conditions in them, and actions.

use super::Generator;
use crate::search::program::{Feature, Function, Part, Statement};
use crate::search::values::Type;

impl Generator {
    /// A function whose calls happen only on some devices.
    pub(super) fn conditional_function(&mut self) {
        self.is_conditional = true;
        let condition = self.condition_on_device();
        let other = *self.random.pick(&[Type::Uint, Type::Int, Type::Bool]);
        let parameters = vec![(Type::Uint, "INNER(p0)".to_owned(), true), (other, "p1".to_owned(), false)];
        self.begin(parameters.iter().map(|(of, name, _)| (*of, name.clone())).collect());
        self.written = vec![(Type::Uint, "INNER(p0)".to_owned())];
        let prologue = self.locals();
        self.ret = "return;".to_owned();
        (self.is_main, self.uniform) = (false, false);
        self.present = condition.iter().filter(|(_, has)| *has).map(|(feature, _)| *feature).collect();
        let mut body = self.block(2);
        body.extend(self.wide_call("INNER(p0)"));
        self.present.clear();
        self.functions.push(Function {
            result: None,
            name: format!("where{}", self.functions.len()),
            parameters,
            prologue,
            body,
            end: "INNER(p0) = INNER(p0) * 31u + (u1 ^ TO_UINT(i0));".to_owned(),
            feature: None,
            condition,
        });
    }

    /// One of the optional features, or none, or two.
    fn condition_on_device(&mut self) -> Vec<(Feature, bool)> {
        let first = *self.random.pick(self.language.optional);
        let mut condition = vec![(first, self.random.chance(65))];
        let other = *self.random.pick(&Feature::ALL);
        if self.random.chance(30) && other != first {
            condition.push((other, self.random.chance(60)));
        }
        condition
    }

    /// A call of a function that uses a feature of the devices that come here.
    fn wide_call(&mut self, target: &str) -> Option<Statement> {
        let fits =
            |function: &&Function| function.feature.is_some_and(|feature| self.present.contains(&feature));
        let fitting: Vec<&Function> = self.functions.iter().filter(fits).collect();
        let name = &fitting.get(self.random.below(fitting.len().max(1)))?.name;
        let text = format!("{target} = {target} * 31u + {name}({target});");
        self.next += 1;
        Some(Statement { number: self.next - 1, parts: vec![Part::Text(text)] })
    }

    /// A chain of actions, each for some devices. None of them leaves the enclosing statement.
    pub(super) fn actions(&mut self, depth: usize) -> Vec<Part> {
        self.is_conditional = true;
        let first = *self.random.pick(self.language.optional);
        let both = self.random.chance(20);
        let (head, present) = match both {
            true => {
                let names: Vec<&str> = self.language.optional.iter().map(|feature| feature.name()).collect();
                (format!("WHERE_BOTH({})", names.join(", ")), self.language.optional.to_vec())
            }
            false => (format!("WHERE({})", first.name()), vec![first]),
        };
        let mut parts = vec![Part::Text(head), self.action(depth, &present)];
        let other = *self.random.pick(self.language.optional);
        if self.random.chance(30) && (both || other != first) {
            parts.push(Part::Text(format!("ELSE_WHERE({})", other.name())));
            parts.push(self.action(depth, &[other]));
        }
        if self.random.chance(60) {
            parts.push(Part::Text("OTHERWISE".to_owned()));
            parts.push(self.action(depth, &[]));
        }
        parts.push(Part::Text("END_WHERE".to_owned()));
        parts
    }

    fn action(&mut self, depth: usize, features: &[Feature]) -> Part {
        let outside = std::mem::take(&mut self.breakable);
        let ret = std::mem::take(&mut self.ret);
        let count = self.present.len();
        let uniform = std::mem::replace(&mut self.uniform, false);
        self.present.extend(features);
        let mut block = self.block(depth - 1);
        block.extend(self.wide_call("u0"));
        self.present.truncate(count);
        (self.breakable, self.ret, self.uniform) = (outside, ret, uniform);
        Part::Block(block)
    }
}
