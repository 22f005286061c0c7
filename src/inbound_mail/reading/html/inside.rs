//! What holds inside of an element.

/// An element inside which something holds, until it is closed as often as it was opened.
#[derive(Debug)]
pub(super) struct Inside {
    pub(super) name: String,
    pub(super) depth: usize,
}

impl Inside {
    pub(super) fn of(name: &str) -> Option<Self> {
        let is_empty = matches!(name, "br" | "hr" | "img" | "input" | "meta");
        (!is_empty).then(|| Self {
            name: name.to_owned(),
            depth: 1,
        })
    }
}

/// Whether the end of an element ends what holds inside it.
pub(super) fn closes(inside: &mut Option<Inside>, name: &str) -> bool {
    let Some(open) = inside.as_mut().filter(|open| open.name == name) else {
        return false;
    };
    open.depth -= 1;
    let is_closed = open.depth == 0;
    if is_closed {
        *inside = None;
    }
    is_closed
}
