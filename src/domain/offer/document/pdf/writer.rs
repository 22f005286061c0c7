//! Draws a layout as a tagged PDF (PDF/UA-1): the same layout has the same bytes.

use std::num::{NonZeroU16, NonZeroU32};

use jiff::civil::Date;
use krilla::action::{Action, LinkAction};
use krilla::annotation::{Annotation, LinkAnnotation, Target};
use krilla::color::rgb;
use krilla::configure::ConfigurationBuilder;
use krilla::configure::validate::Accessibility;
use krilla::destination::XyzDestination;
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::metadata::{DateTime, Metadata};
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::Fill;
use krilla::surface::Surface;
use krilla::tagging::{
    Artifact, ArtifactType, ContentTag, Identifier, ListNumbering, SpanTag, TableHeaderScope,
    Tag as PdfTag, TagGroup, TagKind, TagTree,
};
use krilla::{Document as PdfDocument, SerializeSettings};

use super::error::PdfError;
use super::fonts::Fonts;
use super::layout::{Layout, Place, Step, Tag};
use super::line::{Run, span, wrap};
use super::style::{Color, HAIRLINE, MARGIN, PAGE_HEIGHT, PAGE_WIDTH, SMALL, WIDTH};

/// What a reader shows of the file besides its pages.
pub struct About {
    pub title: String,
    pub subject: String,
    pub author: String,
    pub date: Date,
    /// At the foot of each page.
    pub footer: String,
}

/// The bytes of the file.
pub fn write(layout: Layout<'_>, about: &About) -> Result<Vec<u8>, PdfError> {
    let configuration = ConfigurationBuilder::new()
        .with_accessibility_validator(Accessibility::UA1)
        .finish()
        .map_err(|_| PdfError::Configuration)?;
    let mut document = PdfDocument::new_with(SerializeSettings {
        configuration,
        ..SerializeSettings::default()
    });
    document.set_metadata(metadata(about));
    let mut identifiers: Vec<Vec<Identifier>> = vec![Vec::new(); layout.steps.len()];
    let pages = layout.pages();
    for page in 0..pages {
        let settings = PageSettings::from_wh(PAGE_WIDTH, PAGE_HEIGHT);
        let mut sheet = document.start_page_with(settings.ok_or(PdfError::Configuration)?);
        let mut surface = sheet.surface();
        let (mut open, mut links) = (Vec::new(), Vec::new());
        for (number, step) in layout.steps.iter().enumerate() {
            match step {
                Step::Open(tag) => open.push(tag),
                Step::Close => drop(open.pop()),
                Step::Text { place, x, run } if place.page == page => {
                    let id = surface.start_tagged(ContentTag::Span(SpanTag::empty()));
                    draw(&mut surface, layout.fonts, run, *x, place.y);
                    surface.end_tagged();
                    identifiers[number].push(id);
                    if let Some(Tag::Link(address)) = open.last() {
                        links.push((number, link(address, *place, *x, run)?));
                    }
                }
                Step::Box {
                    page: at,
                    area,
                    color,
                } if *at == page => {
                    let artifact = Artifact::with_kind(ArtifactType::Layout);
                    surface.start_tagged(ContentTag::Artifact(artifact));
                    fill_box(&mut surface, *area, *color);
                    surface.end_tagged();
                }
                Step::Text { .. } | Step::Box { .. } => {}
            }
        }
        let number = format!("Page {} of {pages}", page + 1);
        foot(&mut surface, layout.fonts, &about.footer, &number);
        surface.finish();
        for (number, link) in links {
            identifiers[number].push(sheet.add_tagged_annotation(link));
        }
        sheet.finish();
    }
    document.set_outline(outline(&layout.steps));
    document.set_tag_tree(tag_tree(&layout.steps, &identifiers));
    document
        .finish()
        .map_err(|error| PdfError::Write(error.to_string()))
}

/// The area of a line of a text that leads to an address.
fn link(address: &str, place: Place, x: f32, run: &Run) -> Result<Annotation, PdfError> {
    let leading = run.style.leading();
    let area = Rect::from_xywh(x, place.y - leading * 0.76, run.width, leading);
    let target = Target::Action(Action::Link(LinkAction::new(address.to_owned())));
    let link = LinkAnnotation::new(area.ok_or(PdfError::Configuration)?, target);
    Ok(Annotation::new_link(link, Some(address.to_owned())))
}

fn metadata(about: &About) -> Metadata {
    let date = about.date;
    let year = u16::try_from(date.year()).unwrap_or(0);
    let month = u8::try_from(date.month()).unwrap_or(1);
    let day = u8::try_from(date.day()).unwrap_or(1);
    let created = DateTime::new(year).month(month).day(day);
    Metadata::new()
        .title(about.title.clone())
        .description(about.subject.clone())
        .authors(vec![about.author.clone()])
        .creator("Guardpost".to_owned())
        .language("en-US".to_owned())
        .creation_date(created)
}

fn fill_box(surface: &mut Surface<'_>, area: Rect, color: Color) {
    let mut path = PathBuilder::new();
    path.push_rect(area);
    if let Some(path) = path.finish() {
        surface.set_fill(Some(fill(color)));
        surface.draw_path(&path);
    }
}

fn fill([red, green, blue]: Color) -> Fill {
    Fill {
        paint: rgb::Color::new(red, green, blue).into(),
        ..Fill::default()
    }
}

fn draw(surface: &mut Surface<'_>, fonts: &Fonts, run: &Run, x: f32, y: f32) {
    surface.set_fill(Some(fill(run.style.color)));
    let mut pen = x;
    for piece in &run.pieces {
        if let Some(face) = fonts.face(piece.weight, piece.face) {
            let (start, font) = (Point::from_xy(pen, y), face.font.clone());
            let (text, size) = (&piece.text, run.style.size);
            surface.draw_glyphs(start, &piece.glyphs, font, text, size, false);
        }
        pen += piece.width;
    }
}

/// The line at the foot of a page.
fn foot(surface: &mut Surface<'_>, fonts: &Fonts, text: &str, number: &str) {
    let y = PAGE_HEIGHT - 32.0;
    surface.start_tagged(ContentTag::Artifact(Artifact::with_kind(
        ArtifactType::Footer,
    )));
    if let Some(area) = Rect::from_xywh(MARGIN, y - 12.0, WIDTH, 0.6) {
        fill_box(surface, area, HAIRLINE);
    }
    let number = wrap(fonts, &[span(number, SMALL)], WIDTH);
    let width = number.first().map_or(0.0, |line| line.width);
    // What does not fit is left out: the text above says it as well.
    let text = wrap(fonts, &[span(text, SMALL)], WIDTH - width - 12.0);
    for (lines, x) in [(text, MARGIN), (number, MARGIN + WIDTH - width)] {
        let mut pen = x;
        for run in lines.first().iter().flat_map(|line| &line.runs) {
            draw(surface, fonts, run, pen, y);
            pen += run.width;
        }
    }
    surface.end_tagged();
}

/// The headings, for the reader's list of contents.
fn outline(steps: &[Step]) -> Outline {
    let mut outline = Outline::new();
    for (number, step) in steps.iter().enumerate() {
        let Step::Open(Tag::Heading(_, title)) = step else {
            continue;
        };
        let place = steps[number..].iter().find_map(|step| match step {
            Step::Text { place, .. } => Some(*place),
            _ => None,
        });
        if let Some(Place { page, y }) = place {
            let point = Point::from_xy(MARGIN, (y - 20.0).max(0.0));
            let destination = XyzDestination::new(page, point);
            outline.push_child(OutlineNode::new(title.clone(), destination));
        }
    }
    outline
}

fn tag_tree(steps: &[Step], identifiers: &[Vec<Identifier>]) -> TagTree {
    let mut tree = TagTree::new();
    let mut open: Vec<TagGroup> = Vec::new();
    for (step, identifiers) in steps.iter().zip(identifiers) {
        match step {
            Step::Open(tag) => open.push(TagGroup::new(kind(tag))),
            Step::Close => {
                let Some(group) = open.pop() else { continue };
                match open.last_mut() {
                    Some(outer) => outer.push(group),
                    None => tree.push(group),
                }
            }
            Step::Text { .. } => {
                if let Some(group) = open.last_mut() {
                    identifiers.iter().for_each(|it| group.push(*it));
                }
            }
            Step::Box { .. } => {}
        }
    }
    tree
}

fn kind(tag: &Tag) -> TagKind {
    match tag {
        Tag::Heading(level, title) => {
            let level = NonZeroU16::new(*level).unwrap_or(NonZeroU16::MIN);
            PdfTag::Hn(level, Some(title.clone())).into()
        }
        Tag::Paragraph => PdfTag::P.into(),
        Tag::Table => PdfTag::Table.into(),
        Tag::Row => PdfTag::TR.into(),
        Tag::ColumnHead => PdfTag::TH(TableHeaderScope::Column).into(),
        Tag::RowHead(columns) => {
            let span = NonZeroU32::new(*columns).filter(|columns| columns.get() > 1);
            PdfTag::TH(TableHeaderScope::Row).with_col_span(span).into()
        }
        Tag::Cell => PdfTag::TD.into(),
        Tag::List => PdfTag::L(ListNumbering::None).into(),
        Tag::Item => PdfTag::LI.into(),
        Tag::Label => PdfTag::Lbl.into(),
        Tag::Body => PdfTag::LBody.into(),
        Tag::Link(_) => PdfTag::Link.into(),
    }
}
