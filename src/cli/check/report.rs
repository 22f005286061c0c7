//! The lines of `guardpost check`.

use std::path::Path;

use serde_json::{Value, json};

use crate::cli::output::count_noun::count_noun;

/// How serious a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Ok,
    Warning,
    Fault,
}

impl Level {
    const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Fault => "fault",
        }
    }
}

/// One line.
#[derive(Debug)]
struct Line {
    level: Level,
    topic: &'static str,
    text: String,
}

impl Line {
    /// Whether it warns of what ships as a sample, and what the company has not confirmed yet.
    fn is_about_samples(&self) -> bool {
        let topics = ["company", "figures", "claims", "samples", "licenses"];
        self.level == Level::Warning && topics.contains(&self.topic)
    }
}

/// All lines.
#[derive(Debug, Default)]
pub(super) struct Report {
    lines: Vec<Line>,
}

impl Report {
    /// Adds a line for a correct part.
    pub(super) fn fine(&mut self, topic: &'static str, text: impl Into<String>) {
        self.add(Level::Ok, topic, text.into());
    }

    /// Adds a line that an operator should check.
    pub(super) fn warning(&mut self, topic: &'static str, text: impl Into<String>) {
        self.add(Level::Warning, topic, text.into());
    }

    /// Adds a line for a fault.
    pub(super) fn fault(&mut self, topic: &'static str, text: impl Into<String>) {
        self.add(Level::Fault, topic, text.into());
    }

    /// Adds a line for a fault of this file or folder of the data.
    pub(super) fn data_fault(&mut self, path: &Path, what: impl AsRef<str>) {
        self.fault("data", format!("{}: {}", path.display(), what.as_ref()));
    }

    fn add(&mut self, level: Level, topic: &'static str, text: String) {
        self.lines.push(Line { level, topic, text });
    }

    fn count(&self, level: Level) -> usize {
        self.lines.iter().filter(|line| line.level == level).count()
    }

    /// The number of faults.
    pub(super) fn faults(&self) -> usize {
        self.count(Level::Fault)
    }

    /// The number of warnings.
    pub(super) fn warnings(&self) -> usize {
        self.count(Level::Warning)
    }

    /// Prints the warnings, then the faults. With `all` also what is fine, and each line about
    /// samples; otherwise these are one line.
    pub(super) fn print(&self, all: bool) {
        let is_shown = |line: &&Line| all || line.level != Level::Ok && !line.is_about_samples();
        for level in [Level::Ok, Level::Warning, Level::Fault] {
            let lines = self.lines.iter().filter(|line| line.level == level);
            for line in lines.filter(is_shown) {
                say!("{}: {}", level.name(), line.text);
            }
            let samples = self
                .lines
                .iter()
                .filter(|line| line.is_about_samples())
                .count();
            if level == Level::Warning && samples > 0 && !all {
                say!(
                    "warning: {} of the site {} still to be entered or confirmed: `guardpost check \
                     --all` names them",
                    count_noun(samples as u64, "fact"),
                    if samples == 1 { "is" } else { "are" },
                );
            }
        }
    }

    /// The number of faults, or else of warnings, for standard error: the lines themselves are on
    /// standard output.
    pub(super) fn summary(&self) -> String {
        match self.faults() as u64 {
            0 => count_noun(self.warnings() as u64, "warning"),
            faults => count_noun(faults, "fault"),
        }
    }

    /// All lines as one JSON object.
    pub(super) fn json(&self, ok: bool) -> Value {
        let line = |line: &Line| {
            json!({"level": line.level.name(), "topic": line.topic,
            "text": line.text})
        };
        let lines: Vec<_> = self.lines.iter().map(line).collect();
        json!({"ok": ok, "faults": self.faults(), "warnings": self.warnings(), "lines": lines})
    }
}
