//! JSON in which equal parts are stored once, for files that people send to each other: many modules have equal lists of devices. `report.js` reads it.
//!
//! It is `{"shapes": [[key, ...], ...], "parts": [part, ...], "root": value}`. A value is a scalar, a part, or `[n]` for the part at an index. A part is
//! `[shape, value, ...]` with the values of an object whose keys are those of the shape, `[-1, value, ...]` for an array, and `[-2]` for an object
//! without keys. Parts refer to earlier ones.

use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

use serde::Serialize;
use serde_json::{Map, Value};
use spirv_if::engine::collections::sort_by_key;

use crate::inspection::{FileReport, InspectionReport};
use crate::report::inspection::parsed_json;

const ARRAY: &str = "-1";
const EMPTY_OBJECT: &str = "-2";

/// A value of a part.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Item {
    /// The JSON of a scalar, or the shape.
    Text(Rc<str>),
    /// The index of a part.
    Part(u32),
}

/// JSON under construction.
#[derive(Default)]
pub struct PackedJson {
    shapes: HashMap<Vec<String>, usize>,
    parts: Vec<Rc<[Item]>>,
    numbers: HashMap<Rc<[Item]>, u32>,
    /// The number of references to each part.
    uses: Vec<u32>,
}

impl PackedJson {
    /// Returns the JSON of a value.
    ///
    /// # Errors
    /// If the value has keys that are no strings.
    pub fn pack(value: &impl Serialize) -> serde_json::Result<String> {
        let mut packed = PackedJson::default();
        let root = packed.value(&parsed_json(value)?);
        packed.finish(&root)
    }

    /// Like [`pack`](Self::pack) for a report, module by module, since the JSON of many modules takes much memory.
    ///
    /// # Errors
    /// None are expected.
    pub fn pack_report(report: &InspectionReport) -> serde_json::Result<String> {
        let mut packed = PackedJson::default();
        let mut files = vec![Item::Text(ARRAY.into())];
        for FileReport { file, size, modules } in report.files.iter() {
            let mut items = vec![Item::Text(ARRAY.into())];
            for module in modules {
                items.push(packed.value(&parsed_json(module)?));
            }
            let modules = packed.part(items);
            let file = FileReport::<()> { file: file.clone(), size: *size, modules: Vec::new() };
            files.push(packed.with_member(&parsed_json(&file)?, "modules", modules));
        }
        let files = packed.part(files);
        let report = InspectionReport {
            schema: report.schema,
            answer: report.answer.clone(),
            files: Cow::Borrowed(&[]),
        };
        let root = packed.with_member(&parsed_json(&report)?, "files", files);
        packed.finish(&root)
    }

    fn value(&mut self, value: &Value) -> Item {
        match value {
            Value::Array(values) => {
                let values: Vec<Item> = values.iter().map(|value| self.value(value)).collect();
                self.part([Item::Text(ARRAY.into())].into_iter().chain(values).collect())
            }
            Value::Object(members) => {
                let values = members.values().map(|value| self.value(value)).collect();
                self.object(members, values)
            }
            scalar => Item::Text(scalar.to_string().into()),
        }
    }

    /// Adds an object in which one member has another value.
    fn with_member(&mut self, object: &Value, key: &str, member: Item) -> Item {
        let no_members = Map::new();
        let members = object.as_object().unwrap_or(&no_members);
        let values = members.iter().map(|(known, value)| match known == key {
            true => member.clone(),
            false => self.value(value),
        });
        let values = values.collect();
        self.object(members, values)
    }

    fn object(&mut self, members: &Map<String, Value>, values: Vec<Item>) -> Item {
        if members.is_empty() {
            return self.part(vec![Item::Text(EMPTY_OBJECT.into())]);
        }
        let next = self.shapes.len();
        let shape = *self.shapes.entry(members.keys().cloned().collect()).or_insert(next);
        self.part([Item::Text(shape.to_string().into())].into_iter().chain(values).collect())
    }

    fn part(&mut self, items: Vec<Item>) -> Item {
        let items: Rc<[Item]> = items.into();
        if let Some(number) = self.numbers.get(&items) {
            return Item::Part(*number);
        }
        for item in items.iter() {
            if let Item::Part(part) = item {
                self.uses[*part as usize] += 1;
            }
        }
        let number = self.parts.len() as u32;
        self.numbers.insert(items.clone(), number);
        self.parts.push(items);
        self.uses.push(0);
        Item::Part(number)
    }

    /// Writes the parts with several references to a list, and others where they are.
    fn finish(&self, root: &Item) -> serde_json::Result<String> {
        let mut shapes: Vec<(&Vec<String>, &usize)> = self.shapes.iter().collect();
        sort_by_key(&mut shapes, |(_, number)| **number);
        let shapes: Vec<&Vec<String>> = shapes.into_iter().map(|(keys, _)| keys).collect();
        let mut listed = vec![None; self.parts.len()];
        let mut json = format!("{{\"shapes\":{},\"parts\":[", serde_json::to_string(&shapes)?);
        let mut count = 0;
        for (number, part) in self.parts.iter().enumerate() {
            if self.uses[number] < 2 {
                continue;
            }
            if count > 0 {
                json.push_str(",\n");
            }
            self.write_part(part, &listed, &mut json);
            listed[number] = Some(count);
            count += 1;
        }
        json.push_str("],\"root\":");
        self.write(root, &listed, &mut json);
        json.push('}');
        Ok(json)
    }

    fn write(&self, item: &Item, listed: &[Option<u32>], json: &mut String) {
        match item {
            Item::Text(text) => json.push_str(text),
            Item::Part(part) => match listed[*part as usize] {
                Some(number) => json.push_str(&format!("[{number}]")),
                None => self.write_part(&self.parts[*part as usize], listed, json),
            },
        }
    }

    fn write_part(&self, items: &[Item], listed: &[Option<u32>], json: &mut String) {
        for (at, item) in items.iter().enumerate() {
            json.push(if at == 0 { '[' } else { ',' });
            self.write(item, listed, json);
        }
        json.push(']');
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Reads packed JSON, as `report.js` does.
    fn unpacked(json: &str) -> Value {
        fn value(packed: &Value, shapes: &Value, parts: &[Value]) -> Value {
            let Some(items) = packed.as_array() else { return packed.clone() };
            let (first, rest) = (items[0].as_i64().unwrap(), &items[1..]);
            match (first, rest) {
                (-2, _) => json!({}),
                (-1, _) => rest.iter().map(|item| value(item, shapes, parts)).collect(),
                (part, []) => parts[part as usize].clone(),
                (shape, _) => {
                    let keys = shapes[shape as usize].as_array().unwrap().iter();
                    let members = keys
                        .zip(rest)
                        .map(|(key, item)| (key.as_str().unwrap().to_owned(), value(item, shapes, parts)));
                    Value::Object(members.collect())
                }
            }
        }
        let packed: Value = serde_json::from_str(json).unwrap();
        let mut parts = Vec::new();
        for part in packed["parts"].as_array().unwrap() {
            parts.push(value(part, &packed["shapes"], &parts));
        }
        value(&packed["root"], &packed["shapes"], &parts)
    }

    #[test]
    fn equal_parts_are_stored_once() {
        let devices = json!([{ "name": "a \"quoted\" device", "has": [] }, { "name": "b", "has": ["fp16", null, -1, 2.5, true] }]);
        let data = json!({ "one": devices, "two": { "again": devices, "empty": {}, "more": [{}, [[1]], [[1]]] }, "three": [devices, 7] });
        let packed = PackedJson::pack(&data).unwrap();
        assert_eq!(unpacked(&packed), data);
        assert_eq!(packed.matches("quoted").count(), 1, "{packed}");
        for scalar in [json!(3), json!("text"), json!(null), json!([]), json!({})] {
            assert_eq!(unpacked(&PackedJson::pack(&scalar).unwrap()), scalar);
        }
    }
}
