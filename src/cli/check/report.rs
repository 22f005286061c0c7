//! The lines of `guardpost check`.

use std::path::Path;

use serde_json::{Value, json};

use crate::cli::count_noun;

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

/// All lines.
#[derive(Debug, Default)]
pub(super) struct Report {
    lines: Vec<Line>,
    /// The data folder and the number of its faults.
    data: Option<(String, usize)>,
}

impl Report {
    /// Adds what is as it should be.
    pub(super) fn fine(&mut self, topic: &'static str, text: impl Into<String>) {
        self.add(Level::Ok, topic, text.into());
    }

    /// Adds what an operator should look at.
    pub(super) fn warning(&mut self, topic: &'static str, text: impl Into<String>) {
        self.add(Level::Warning, topic, text.into());
    }

    /// Adds what does not work.
    pub(super) fn fault(&mut self, topic: &'static str, text: impl Into<String>) {
        self.add(Level::Fault, topic, text.into());
    }

    /// Adds a fault of the data folder.
    pub(super) fn data_fault(&mut self, folder: &Path, text: String) {
        let (_, faults) = self
            .data
            .get_or_insert_with(|| (folder.display().to_string(), 0));
        *faults += 1;
        self.fault("data", text);
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

    /// Prints warnings and what is fine, then the faults.
    pub(super) fn print(&self) {
        for level in [Level::Ok, Level::Warning, Level::Fault] {
            for line in self.lines.iter().filter(|line| line.level == level) {
                println!("{}: {}", level.name(), line.text);
            }
        }
    }

    /// The faults in one sentence, for standard error: those outside of the data folder in full.
    pub(super) fn summary(&self) -> String {
        let others = self.lines.iter().filter(|line| line.level == Level::Fault);
        let others = others.filter(|line| line.topic != "data");
        let mut parts: Vec<String> = others.map(|line| line.text.clone()).collect();
        if let Some((folder, faults)) = &self.data {
            let faults = count_noun(*faults, "fault");
            parts.push(format!("{faults} in the data folder {folder}"));
        }
        if parts.is_empty() {
            parts.push(count_noun(self.warnings(), "warning"));
        }
        parts.join("; ")
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
