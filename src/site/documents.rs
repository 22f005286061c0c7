//! Renders a prerendered document: inserts head tags, stylesheet, company facts and photos, and
//! removes elements whose fact is empty. Runs once per document at start, not per request.

use lol_html::html_content::ContentType;
use lol_html::{RewriteStrSettings, element, rewrite_str};

use super::bundle::Document;
use super::inline_files::InlineFiles;
use super::photos::Photo;
use super::placeholders::{EscapeContext, Placeholders, escape_html};
use super::seo::Seo;

/// Marker that is replaced by the head tags.
const HEAD_MARKER: &str = "<!--head-->";

pub fn render(
    document: &Document,
    seo: &Seo,
    placeholders: &Placeholders,
    inline_files: &InlineFiles,
) -> String {
    let body = apply_conditions(&document.html(), placeholders);
    let (before, after) = body.split_once(HEAD_MARKER).unwrap_or(("", &body));
    let mut rendered = placeholders.fill(before, EscapeContext::Html);
    rendered.push_str(&seo.head(document, placeholders));
    rendered.push_str(&placeholders.fill(after, EscapeContext::Html));
    inline_files.inline_into(rendered)
}

/// Renders a document that is not in the manifest, with these tags in its head, whose placeholders
/// are replaced.
pub fn render_with_head(
    html: &str,
    head: &str,
    placeholders: &Placeholders,
    inline_files: &InlineFiles,
) -> String {
    let body = apply_conditions(html, placeholders).replacen(HEAD_MARKER, head, 1);
    inline_files.inline_into(placeholders.fill(&body, EscapeContext::Html))
}

/// Removes elements with `data-if="company.KEY"` whose fact is empty, or with `!company.KEY` whose
/// fact is set, and replaces illustrations (`data-scene`) by the operator's photos of the same
/// name.
fn apply_conditions(html: &str, placeholders: &Placeholders) -> String {
    if !html.contains("data-if=") && !placeholders.has_photos() {
        return html.to_owned();
    }
    let conditions = element!("[data-if]", |element| {
        let condition = element.get_attribute("data-if").unwrap_or_default();
        let positive = condition.trim_start_matches('!');
        let key = positive.strip_prefix("company.").unwrap_or(positive);
        let is_set = !placeholders.get(key).is_empty();
        if is_set == condition.starts_with('!') {
            element.remove();
        }
        Ok(())
    });
    let scenes = element!("[data-scene]", |element| {
        let scene = element.get_attribute("data-scene").unwrap_or_default();
        if let Some(photo) = placeholders.photo(&scene) {
            let (width, height) = match element.get_attribute("class").as_deref() {
                Some("portrait") => (64, 64),
                Some("client-logo") => (160, 100),
                _ => (640, 400),
            };
            element.set_inner_content(&image_element(photo, width, height), ContentType::Html);
            if !photo.alt.is_empty() {
                element.remove_attribute("aria-hidden");
            }
        }
        Ok(())
    });
    let settings = RewriteStrSettings::new()
        .append_element_content_handler(conditions)
        .append_element_content_handler(scenes);
    // Fails only for invalid UTF-8 or a handler error; neither can happen here.
    rewrite_str(html, settings).unwrap_or_else(|_| html.to_owned())
}

/// The `<img>` element that `scene.tsx` and `portrait.tsx` in `frontend/src/scenes` and
/// `sections/home/clients.tsx` render for a photo, with its description.
fn image_element(photo: &Photo, width: u16, height: u16) -> String {
    let (path, alt) = (photo.address(), escape_html(&photo.alt));
    let size = format!(r#"width="{width}" height="{height}""#);
    format!(r#"<img src="{path}" alt="{alt}" {size} loading="lazy" decoding="async"/>"#)
}
