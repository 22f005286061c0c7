//! The cells of a table, side by side where each is one line.

use super::super::line::{Line, Mark};

/// What stands between two cells.
const BETWEEN: &str = " | ";

/// A row of a table.
#[derive(Default)]
pub(super) struct Row {
    /// The number of lines above it; `None` outside of a row.
    first: Option<usize>,
}

impl Row {
    /// The row below `lines` lines.
    pub(super) fn begin(lines: usize) -> Self {
        Self { first: Some(lines) }
    }

    /// Begins a cell: its text follows that of the cells before it on their line, if they are one.
    /// Returns whether it does.
    pub(super) fn begin_cell(&mut self, lines: &mut Vec<Line>, line: &mut Line) -> bool {
        let Some(first) = self.first else {
            return false;
        };
        let mut above = lines.iter().skip(first).filter(|line| !line.is_blank());
        let (above, is_more) = (above.next(), above.next().is_some());
        match (above, line.text.trim().is_empty()) {
            (None, true) => {
                self.first = Some(lines.len());
                return false;
            }
            (None, false) => {}
            (Some(only), true) if !is_more && only.mark == Mark::None => {
                *line = only.clone();
                lines.truncate(first);
            }
            // More than one line: the cells stand below one another.
            (_, is_empty) => {
                self.first = None;
                if !is_empty {
                    lines.push(std::mem::take(line));
                }
                return false;
            }
        }
        if !line.text.ends_with(BETWEEN) {
            line.text.truncate(line.text.trim_end().len());
            line.text.push_str(BETWEEN);
        }
        true
    }
}
