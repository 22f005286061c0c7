//! Makes a prerendered document whole: head, stylesheet, facts, photos in place of scenes, and elements whose fact is empty taken out. Done once for each
//! document, never for a request.

use lol_html::html_content::ContentType;
use lol_html::{RewriteStrSettings, element, rewrite_str};

use super::bundle::Document;
use super::inline_stylesheet::InlineStylesheet;
use super::placeholders::{EscapeContext, Placeholders};
use super::seo::Seo;

/// Where the head's tags go.
const HEAD: &str = "<!--head-->";

/// The finished document.
pub fn finish(
    document: &Document,
    seo: &Seo,
    facts: &Placeholders,
    sheet: Option<&InlineStylesheet>,
) -> String {
    let body = fitted(document.html, facts);
    let (before, after) = body.split_once(HEAD).unwrap_or(("", &body));
    let mut whole = facts.fill(before, EscapeContext::Html);
    whole.push_str(&seo.head(document, facts));
    whole.push_str(&facts.fill(after, EscapeContext::Html));
    match sheet {
        Some(sheet) => sheet.put_into(&whole),
        None => whole,
    }
}

/// The document without the elements that say `data-if="company.KEY"` of a fact the company does not have, and with the operator's photos in place of
/// the scenes they are named after (`data-scene`).
fn fitted(html: &str, facts: &Placeholders) -> String {
    if !html.contains("data-if=") && !facts.has_photos() {
        return html.to_owned();
    }
    let conditions = element!("[data-if]", |element| {
        let condition = element.get_attribute("data-if").unwrap_or_default();
        let key = condition.strip_prefix("company.").unwrap_or(&condition);
        if facts.get(key).is_empty() {
            element.remove();
        }
        Ok(())
    });
    let scenes = element!("[data-scene]", |element| {
        let scene = element.get_attribute("data-scene").unwrap_or_default();
        if let Some(photo) = facts.photo(&scene) {
            let portrait = element.get_attribute("class").as_deref() == Some("portrait");
            let size = if portrait { (64, 64) } else { (640, 400) };
            element.set_inner_content(&picture(photo, size), ContentType::Html);
        }
        Ok(())
    });
    let settings = RewriteStrSettings::new()
        .append_element_content_handler(conditions)
        .append_element_content_handler(scenes);
    // Fails only on a document that is not UTF-8 or a handler's own error; neither happens here.
    rewrite_str(html, settings).unwrap_or_else(|_| html.to_owned())
}

/// The element that `scene.tsx` and `portrait.tsx` in `frontend/src/scenes` draw for a photo.
fn picture(path: &str, (width, height): (u16, u16)) -> String {
    format!(
        r#"<img src="{path}" alt="" width="{width}" height="{height}" loading="lazy" decoding="async"/>"#
    )
}
