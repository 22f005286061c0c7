//! Sizes and colors of PDFs, in points (1/72 inch): US Letter, the colors of the site.

use super::fonts::Weight;

pub const PAGE_WIDTH: f32 = 612.0;
pub const PAGE_HEIGHT: f32 = 792.0;
pub const MARGIN: f32 = 54.0;
pub const WIDTH: f32 = PAGE_WIDTH - 2.0 * MARGIN;
/// Where the text of a page ends; below it is the footer.
pub const BOTTOM: f32 = PAGE_HEIGHT - 56.0;

pub type Color = [u8; 3];

/// The tokens `--ink-900`, `--text`, `--amber`, `--mist` and `--hairline` of the site.
pub const INK: Color = [12, 26, 44];
pub const TEXT: Color = [19, 30, 43];
pub const AMBER: Color = [255, 178, 36];
pub const MIST: Color = [241, 244, 247];
pub const HAIRLINE: Color = [211, 220, 229];
/// Of what is read second; 7:1 on white.
pub const MUTED: Color = [68, 81, 95];

/// How a text is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    pub weight: Weight,
    pub size: f32,
    pub color: Color,
    /// Whether all digits are equally wide, for columns of amounts.
    pub is_tabular: bool,
}

const fn style(weight: Weight, size: f32, color: Color) -> Style {
    Style {
        weight,
        size,
        color,
        is_tabular: false,
    }
}

pub const NAME: Style = style(Weight::Bold, 17.0, INK);
pub const TITLE: Style = style(Weight::Bold, 22.0, INK);
pub const HEADING: Style = style(Weight::Bold, 12.0, INK);
pub const LABEL: Style = style(Weight::Bold, 8.5, MUTED);
pub const BODY: Style = style(Weight::Regular, 9.3, TEXT);
pub const STRONG: Style = style(Weight::Bold, 9.3, TEXT);
pub const SMALL: Style = style(Weight::Regular, 8.5, MUTED);
pub const FINE: Style = style(Weight::Regular, 8.2, TEXT);
pub const FINE_STRONG: Style = style(Weight::Bold, 8.2, TEXT);
pub const LEAD: Style = style(Weight::Regular, 10.5, TEXT);
pub const FIGURE: Style = style(Weight::Bold, 20.0, INK);
pub const TOTAL: Style = style(Weight::Bold, 11.5, INK);

impl Style {
    pub const fn tabular(self) -> Self {
        Self {
            is_tabular: true,
            ..self
        }
    }

    /// From one base line to the next.
    pub fn leading(&self) -> f32 {
        self.size * if self.size > 15.0 { 1.2 } else { 1.33 }
    }
}
