//! The bullets and numbers of lists.

/// Maximum lists inside one another that are counted.
const MAX_DEPTH: usize = 50;

/// The open lists: the next number of each, `None` with bullets.
#[derive(Default)]
pub(super) struct Lists(Vec<Option<i64>>);

impl Lists {
    /// Opens a list; `start` is the attribute of its first number.
    pub(super) fn open(&mut self, is_numbered: bool, start: &str) {
        if self.0.len() < MAX_DEPTH {
            self.0.push(is_numbered.then(|| start.parse().unwrap_or(1)));
        }
    }

    pub(super) fn close(&mut self) {
        self.0.pop();
    }

    /// What stands before the next item.
    pub(super) fn bullet(&mut self) -> String {
        match self.0.last_mut() {
            Some(Some(number)) => {
                let bullet = format!("{number}. ");
                *number = number.saturating_add(1);
                bullet
            }
            _ => "- ".to_owned(),
        }
    }
}
