//! Checks sections by their shapes: objects, lists and the values in them.

mod names;
mod text;

use std::collections::HashSet;

use serde_json::{Map, Value};

use self::names::{is_picture_name, is_slug};
use super::shape::{Field, Section, Shape};
use super::{Fault, markup};

/// Everything that is wrong with the form of a section.
pub(super) fn section(section: &Section, value: &Value, default: &Value) -> Vec<Fault> {
    let mut check = Check {
        section: &section.key,
        faults: Vec::new(),
    };
    check.value(value, Some(default), &section.shape, "");
    check.faults
}

struct Check<'a> {
    section: &'a str,
    faults: Vec<Fault>,
}

impl Check<'_> {
    fn fault(&mut self, path: &str, rule: impl Into<String>) {
        self.faults.push(Fault::new(self.section, path, rule));
    }

    fn value(&mut self, value: &Value, default: Option<&Value>, shape: &Shape, path: &str) {
        match shape {
            Shape::Object { fields } => match value.as_object() {
                Some(object) => self.object(object, default, fields, path),
                None => self.fault(path, "must be an object"),
            },
            Shape::List { .. } => match value.as_array() {
                Some(list) => self.list(list, default, shape, path),
                None => self.fault(path, "must be a list"),
            },
            Shape::Text {
                min,
                max,
                lines,
                markup,
                format,
            } => match value.as_str() {
                Some(text) => {
                    let has_lines = *lines || *markup;
                    self.text(text, *min..=*max, has_lines, *format, path);
                    if *markup && let Some(rule) = markup::broken(text) {
                        self.fault(path, rule);
                    }
                }
                None => self.fault(path, "must be a text"),
            },
            Shape::Number { min, max } => {
                if !value.as_i64().is_some_and(|n| (*min..=*max).contains(&n)) {
                    self.fault(path, format!("must be a whole number from {min} to {max}"));
                }
            }
            Shape::Flag | Shape::Sample => {
                if !value.is_boolean() {
                    self.fault(path, "must be true or false");
                }
            }
            Shape::Picture => {
                if !value.as_str().is_some_and(is_picture_name) {
                    self.fault(path, "needs a picture");
                }
            }
            Shape::Date => {
                let day =
                    |text: &str| text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok();
                if !value.as_str().is_some_and(day) {
                    self.fault(path, "must be a day, as in 2026-11-22");
                }
            }
            Shape::Choice { choices } => {
                if !value.as_str().is_some_and(|text| choices.contain(text)) {
                    self.fault(path, choices.rule());
                }
            }
            Shape::Slug => {
                if !value.as_str().is_some_and(is_slug) {
                    let rule = "must be 1 to 60 lower-case letters, digits and hyphens";
                    self.fault(path, rule);
                }
            }
            Shape::Fixed => {
                if default != Some(value) {
                    self.fault(path, "belongs to the program and cannot be changed");
                }
            }
        }
    }

    fn object(
        &mut self,
        object: &Map<String, Value>,
        default: Option<&Value>,
        fields: &[Field],
        path: &str,
    ) {
        for key in object.keys() {
            if !fields.iter().any(|field| field.key == *key) {
                self.fault(&at(path, key), "is not a field");
            }
        }
        for field in fields {
            let (path, default) = (
                at(path, &field.key),
                default.and_then(|it| it.get(&field.key)),
            );
            match object.get(&field.key) {
                None | Some(Value::Null) if field.optional => {
                    if matches!(field.shape, Shape::Fixed) && default.is_some() {
                        self.fault(&path, "is missing");
                    }
                }
                None => self.fault(&path, "is missing"),
                Some(value) => self.value(value, default, &field.shape, &path),
            }
        }
        self.width(object, fields, path);
    }

    /// Lists that are as wide as a sibling: the rows of a table.
    fn width(&mut self, object: &Map<String, Value>, fields: &[Field], path: &str) {
        for field in fields {
            let Shape::List { of, .. } = &field.shape else {
                continue;
            };
            let Shape::List {
                as_wide_as: Some(other),
                ..
            } = &**of
            else {
                continue;
            };
            let length = |value: &Value| value.as_array().map(Vec::len);
            let wanted = object.get(other).and_then(length);
            let rows = object.get(&field.key).and_then(Value::as_array);
            for (nth, row) in rows.into_iter().flatten().enumerate() {
                if length(row).is_some() && length(row) != wanted {
                    let rule = format!("must have as many entries as `{other}`");
                    self.fault(&format!("{path}/{}/{nth}", field.key), rule);
                }
            }
        }
    }

    fn list(&mut self, list: &[Value], default: Option<&Value>, shape: &Shape, path: &str) {
        let Shape::List {
            of,
            min,
            max,
            fixed,
            unique,
            ..
        } = shape
        else {
            return;
        };
        let shipped = default.and_then(Value::as_array).filter(|_| *fixed);
        if shipped.is_some_and(|shipped| shipped.len() != list.len()) {
            return self.fault(path, "must have as many entries as shipped");
        }
        if list.len() < *min || list.len() > *max {
            self.fault(
                path,
                format!("has {} entries; {min} to {max} are allowed", list.len()),
            );
        }
        let mut seen = HashSet::new();
        for (nth, entry) in list.iter().enumerate() {
            let path = at(path, &nth.to_string());
            self.value(
                entry,
                shipped.and_then(|shipped| shipped.get(nth)),
                of,
                &path,
            );
            let Some(key) = unique else { continue };
            if !entry
                .get(key)
                .is_none_or(|value| seen.insert(value.to_string()))
            {
                self.fault(&at(&path, key), "is given twice");
            }
        }
    }
}

fn at(path: &str, key: &str) -> String {
    format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"))
}
