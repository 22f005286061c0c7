//! The fonts of PDFs, as on the site: Public Sans for text, Overpass for what is bold.
//! `frontend/scripts/document-fonts.mjs` makes the files, one for each script.

use std::sync::OnceLock;

use krilla::text::{Font, GlyphId};
use skrifa::charmap::Charmap;
use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::GlyphMetrics;
use skrifa::raw::TableProvider;
use skrifa::raw::tables::gsub::{SingleSubst, SubstitutionSubtables};
use skrifa::{FontRef, MetadataProvider, Tag};

use super::error::PdfError;

macro_rules! files {
    ($($name:literal),*) => { [$(include_bytes!(concat!("fonts/", $name, ".ttf"))),*] };
}

const REGULAR: [&[u8]; 4] = files!(
    "regular-latin",
    "regular-latin-ext",
    "regular-vietnamese",
    "regular-cyrillic"
);
const BOLD: [&[u8]; 4] = files!(
    "bold-latin",
    "bold-latin-ext",
    "bold-vietnamese",
    "bold-cyrillic"
);

/// What stands for a character that no font has.
const REPLACEMENT: char = '?';

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    Regular,
    Bold,
}

/// One font file.
pub struct Face {
    pub font: Font,
    charmap: Charmap<'static>,
    metrics: GlyphMetrics<'static>,
    units_per_em: f32,
    /// The figures of one width, by digit.
    figures: Vec<skrifa::GlyphId>,
}

/// A glyph and how far it moves the pen, in ems.
#[derive(Clone, Copy)]
pub struct FoundGlyph {
    /// The index of its face.
    pub face: usize,
    pub id: GlyphId,
    pub advance: f32,
    /// Whether it stands for a character that no font has.
    pub is_replacement: bool,
}

pub struct Fonts {
    regular: Vec<Face>,
    bold: Vec<Face>,
}

impl Fonts {
    /// The fonts, read at the first call.
    pub fn get() -> Result<&'static Self, PdfError> {
        static FONTS: OnceLock<Option<Fonts>> = OnceLock::new();
        let read = || {
            Some(Fonts {
                regular: faces(REGULAR)?,
                bold: faces(BOLD)?,
            })
        };
        FONTS.get_or_init(read).as_ref().ok_or(PdfError::Font)
    }

    pub fn face(&self, weight: Weight, index: usize) -> Option<&Face> {
        self.faces(weight).get(index)
    }

    fn faces(&self, weight: Weight) -> &[Face] {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }

    /// The glyph of a character, or of its replacement.
    pub fn glyph(&self, weight: Weight, character: char) -> FoundGlyph {
        let own = self.find(weight, character);
        own.unwrap_or_else(|| FoundGlyph {
            is_replacement: true,
            ..self.find(weight, REPLACEMENT).unwrap_or(FoundGlyph {
                face: 0,
                id: GlyphId::new(0),
                advance: 0.0,
                is_replacement: true,
            })
        })
    }

    /// The figure of a digit that is as wide as all others.
    pub fn figure(&self, weight: Weight, digit: char) -> Option<FoundGlyph> {
        let face = self.face(weight, 0)?;
        let place = usize::try_from(digit.to_digit(10)?).ok()?;
        face.glyph(*face.figures.get(place)?, 0)
    }

    /// The glyph of a character, if a font has it.
    fn find(&self, weight: Weight, character: char) -> Option<FoundGlyph> {
        let mut faces = self.faces(weight).iter().enumerate();
        faces.find_map(|(index, face)| face.glyph(face.charmap.map(character)?, index))
    }
}

impl Face {
    fn glyph(&self, id: skrifa::GlyphId, face: usize) -> Option<FoundGlyph> {
        let advance = self.metrics.advance_width(id)?;
        Some(FoundGlyph {
            face,
            id: GlyphId::new(id.to_u32()),
            advance: advance / self.units_per_em,
            is_replacement: false,
        })
    }
}

/// The glyphs that the font's feature `tnum` has for the digits.
fn figures(font: &FontRef<'_>) -> Option<Vec<skrifa::GlyphId>> {
    let gsub = font.gsub().ok()?;
    let (features, lookups) = (gsub.feature_list().ok()?, gsub.lookup_list().ok()?);
    let mut records = features.feature_records().iter();
    let record = records.find(|record| record.feature_tag() == Tag::new(b"tnum"))?;
    let feature = record.feature(features.offset_data()).ok()?;
    let lookup = feature.lookup_list_indices().first()?.get();
    let lookup = lookups.lookups().get(lookup.into()).ok()?;
    let SubstitutionSubtables::Single(tables) = lookup.subtables().ok()? else {
        return None;
    };
    let table = tables.iter().next()?.ok()?;
    let charmap = font.charmap();
    let figure = |digit: char| {
        let id = charmap.map(digit)?;
        let SingleSubst::Format2(table) = &table else {
            return None;
        };
        let place = table.coverage().ok()?.get(id)?;
        let others = table.substitute_glyph_ids();
        Some(others.get(usize::from(place))?.get().into())
    };
    ('0'..='9').map(figure).collect()
}

fn faces(files: [&'static [u8]; 4]) -> Option<Vec<Face>> {
    let face = |bytes: &'static [u8]| {
        let read = FontRef::new(bytes).ok()?;
        let font = Font::new(bytes.into(), 0)?;
        Some(Face {
            units_per_em: font.units_per_em(),
            figures: figures(&read).unwrap_or_default(),
            font,
            charmap: read.charmap(),
            metrics: read.glyph_metrics(Size::unscaled(), LocationRef::default()),
        })
    };
    files.into_iter().map(face).collect()
}
