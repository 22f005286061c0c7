//! Places lines on pages and notes what they are. `writer` draws the result.

use krilla::geom::Rect;

use super::fonts::Fonts;
use super::line::{Line, Run, Span, wrap};
use super::style::{BOTTOM, Color, MARGIN, WIDTH};

/// The first base line of a page begins below this.
const TOP: f32 = 42.0;

/// What a part is in the structure of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tag {
    /// A heading of a level, with its title.
    Heading(u16, String),
    Paragraph,
    Table,
    Row,
    ColumnHead,
    /// Of a row, over so many columns.
    RowHead(u32),
    Cell,
    List,
    Item,
    Label,
    Body,
    /// A link to an address.
    Link(String),
}

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Place {
    pub page: usize,
    /// From the top of the page.
    pub y: f32,
}

/// A step of writing; those of each page are in the order of reading.
pub enum Step {
    Open(Tag),
    Close,
    Text {
        place: Place,
        x: f32,
        run: Run,
    },
    Box {
        page: usize,
        area: Rect,
        color: Color,
    },
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

/// A column of a row.
#[derive(Clone, Copy)]
pub struct Column {
    pub x: f32,
    pub width: f32,
    pub align: Align,
}

impl Column {
    /// Columns of these widths beside each other.
    pub fn row(widths: &[f32], gap: f32) -> Vec<Self> {
        let mut next = MARGIN;
        let columns = widths.iter().map(|&width| {
            let x = next;
            next += width + gap;
            let align = Align::Left;
            Self { x, width, align }
        });
        columns.collect()
    }
}

/// A cell of a row.
pub type Cell = (Tag, Vec<Span>);

pub struct Layout<'a> {
    pub fonts: &'a Fonts,
    pub steps: Vec<Step>,
    pub at: Place,
}

impl<'a> Layout<'a> {
    pub fn new(fonts: &'a Fonts) -> Self {
        Self {
            fonts,
            steps: Vec::new(),
            at: Place { page: 0, y: TOP },
        }
    }

    pub fn tagged(&mut self, tag: Tag, content: impl FnOnce(&mut Self)) {
        self.steps.push(Step::Open(tag));
        content(self);
        self.steps.push(Step::Close);
    }

    /// Leaves room, but none at the top of a page.
    pub fn gap(&mut self, height: f32) {
        if self.at.y > TOP {
            self.at.y += height;
        }
    }

    /// Goes to the next page if this one has less room. Says whether it did.
    pub fn need(&mut self, height: f32) -> bool {
        let is_over = self.at.y + height > BOTTOM && self.at.y > TOP;
        if is_over && height <= BOTTOM - TOP {
            self.at = next_page(self.at);
            return true;
        }
        false
    }

    /// A text between the margins.
    pub fn paragraph(&mut self, tag: Tag, spans: &[Span]) {
        let lines = wrap(self.fonts, spans, WIDTH);
        // No single line is left behind.
        self.need(height(&lines[..lines.len().min(2)]));
        let at = self.at;
        self.tagged(tag, |layout| {
            layout.at = layout.flow(lines, MARGIN, WIDTH, Align::Left, at);
        });
    }

    /// Sets lines from a place on, on as many pages as they need. Returns the place below.
    pub fn flow(
        &mut self,
        lines: Vec<Line>,
        x: f32,
        width: f32,
        align: Align,
        from: Place,
    ) -> Place {
        let mut at = from;
        for line in lines {
            if at.y + line.leading > BOTTOM && at.y > TOP {
                at = next_page(at);
            }
            let mut pen = match align {
                Align::Left => x,
                Align::Right => x + width - line.width,
            };
            let base = Place {
                y: at.y + line.leading * 0.76,
                ..at
            };
            for run in line.runs {
                let next = pen + run.width;
                self.steps.push(Step::Text {
                    place: base,
                    x: pen,
                    run,
                });
                pen = next;
            }
            at.y += line.leading;
        }
        at
    }

    /// The lines of cells.
    pub fn cells(&self, columns: &[Column], cells: Vec<Cell>) -> Vec<(Tag, Vec<Line>)> {
        let cells = cells.into_iter().zip(columns);
        let set = cells.map(|((tag, spans), column)| (tag, wrap(self.fonts, &spans, column.width)));
        let mut set: Vec<_> = set.collect();
        align(set.iter_mut().map(|(_, lines)| lines));
        set
    }

    /// Sets a row of cells, each in its column.
    pub fn set_row(&mut self, columns: &[Column], cells: Vec<(Tag, Vec<Line>)>) {
        let from = self.at;
        let mut end = from;
        self.tagged(Tag::Row, |layout| {
            for ((tag, lines), column) in cells.into_iter().zip(columns) {
                layout.tagged(tag, |layout| {
                    let below = layout.flow(lines, column.x, column.width, column.align, from);
                    if below > end {
                        end = below;
                    }
                });
            }
        });
        self.at = end;
    }

    pub fn fill(&mut self, place: Place, x: f32, width: f32, height: f32, color: Color) {
        let (page, area) = (place.page, Rect::from_xywh(x, place.y, width, height));
        let filled = area.map(|area| Step::Box { page, area, color });
        self.steps.extend(filled);
    }

    /// A line across the page, and room below it.
    pub fn rule(&mut self, height: f32, color: Color, below: f32) {
        self.fill(self.at, MARGIN, WIDTH, height, color);
        self.at.y += height + below;
    }

    /// The number of pages.
    pub fn pages(&self) -> usize {
        let pages = self.steps.iter().map(|step| match step {
            Step::Text { place, .. } => place.page,
            Step::Box { page, .. } => *page,
            Step::Open(_) | Step::Close => 0,
        });
        pages.max().unwrap_or(0) + 1
    }
}

/// Gives the first lines of cells one base line.
pub fn align<'a>(cells: impl Iterator<Item = &'a mut Vec<Line>>) {
    let mut first: Vec<&mut Line> = cells.filter_map(|lines| lines.first_mut()).collect();
    let leading = first.iter().map(|line| line.leading).fold(0.0, f32::max);
    for line in &mut first {
        line.leading = leading;
    }
}

pub fn height(lines: &[Line]) -> f32 {
    lines.iter().map(|line| line.leading).sum()
}

pub fn row_height(cells: &[(Tag, Vec<Line>)]) -> f32 {
    cells
        .iter()
        .map(|(_, lines)| height(lines))
        .fold(0.0, f32::max)
}

fn next_page(at: Place) -> Place {
    Place {
        page: at.page + 1,
        y: TOP,
    }
}
