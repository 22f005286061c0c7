//! The site's content: everything the company says of itself. The shipped seeds are the defaults; a
//! company changes whole sections of them. `seeds/content.json` says what a section looks like, for
//! this check and for the forms of the dashboard.

mod changes;
mod check;
mod claims;
mod fault;
mod markup;
mod pictures;
mod sections;
mod shape;

use serde_json::Value;

pub use changes::{Change, changes};
pub use fault::Fault;
pub use markup::plain;
pub use pictures::{Picture, picture_name, pictures};
pub use sections::Sections;
pub use shape::{Section, Shape};

/// The sections, their fields and limits.
#[derive(Debug)]
pub struct ContentRules {
    sections: Vec<Section>,
}

impl ContentRules {
    /// Parses `seeds/content.json`. Fails if the file is not valid; a test reads it.
    pub fn bundled() -> serde_json::Result<Self> {
        let sections = serde_json::from_str(Self::text())?;
        Ok(Self { sections })
    }

    /// The file, as the forms of the dashboard read it.
    pub fn text() -> &'static str {
        include_str!("../../../seeds/content.json")
    }

    /// The keys of all sections, in the order of the forms.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.sections.iter().map(|section| section.key.as_str())
    }

    pub fn section(&self, key: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.key == key)
    }

    /// Everything that is wrong with the section `key`, whose shipped value is `default`; empty if
    /// it is valid.
    pub fn check(&self, key: &str, value: &Value, default: &Value) -> Vec<Fault> {
        let Some(section) = self.section(key) else {
            return vec![Fault::new(key, "", "there is no such section")];
        };
        let mut faults = check::section(section, value, default);
        faults.extend(claims::samples(key, value, default));
        faults
    }

    /// Everything that is wrong with the changed sections and with all together; `all` has a value
    /// for each.
    pub fn check_all(&self, all: &Sections, defaults: &Sections) -> Vec<Fault> {
        let mut faults = Vec::new();
        for (key, value) in all {
            match defaults.get(key) {
                // Facts of config.toml have separate rules.
                Some(default) if default == value => {}
                Some(default) => faults.extend(self.check(key, value, default)),
                None => faults.push(Fault::new(key, "", "there is no such section")),
            }
        }
        if faults.is_empty() {
            faults = claims::figures(all);
        }
        faults
    }
}

#[cfg(test)]
mod tests;
