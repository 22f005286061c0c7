//! Turns a page into a page of a preview: its links stay in the preview, its forms send nothing, it
//! has no scripts, and a banner says what it is.

use lol_html::html_content::{ContentType, Element};
use lol_html::{RewriteStrSettings, element, rewrite_str};

/// The path of the stylesheet within a preview.
pub const STYLES: &str = "/preview.css";

/// The styles of the banner. All is laid out at once, so that the editor scrolls to a heading and
/// it stays there.
pub const STYLESHEET: &str = "\
.preview-banner{position:sticky;top:0;z-index:100;padding:.5rem 1rem;background:#ffc233;\
color:#0c1a2c;font-weight:700;text-align:center}\
form[inert]{opacity:.6}*{content-visibility:visible!important}";

const BANNER: &str = "<p class=\"preview-banner\" role=\"status\">Preview: drafts that are not \
    public. Links stay in the preview; forms send nothing.</p>";

/// The page as a part of the preview at `address`, a path. `is_page` is whether a path is a page of
/// the site.
pub fn as_preview(html: &str, address: &str, is_page: impl Fn(&str) -> bool) -> String {
    let links = element!("a[href]", |link| {
        let href = link.get_attribute("href").unwrap_or_default();
        match within(&href, address, &is_page) {
            Some(within) => link.set_attribute("href", &within)?,
            None if href.starts_with('#') => {}
            // What is outside of the preview, as calls and emails are, does not replace it.
            None => {
                link.set_attribute("target", "_blank")?;
                link.set_attribute("rel", "noreferrer")?;
            }
        }
        Ok(())
    });
    let forms = element!("form", |form| Ok(form.set_attribute("inert", "")?));
    let scripts = element!("script:not([type^='application/'])", |script| {
        script.remove();
        Ok(())
    });
    // Pictures that are not published have no public address.
    let pictures = element!("[src^='/media/']", |image: &mut Element<'_, '_>| {
        let source = image.get_attribute("src").unwrap_or_default();
        image.set_attribute("src", &format!("{address}?path={source}"))?;
        Ok(())
    });
    let styles = element!("head", |head| {
        let link = format!("<link rel=\"stylesheet\" href=\"{address}?path={STYLES}\">");
        head.append(&link, ContentType::Html);
        Ok(())
    });
    let banner = element!("body", |body| {
        body.prepend(BANNER, ContentType::Html);
        Ok(())
    });
    let settings = RewriteStrSettings::new()
        .append_element_content_handler(links)
        .append_element_content_handler(forms)
        .append_element_content_handler(scripts)
        .append_element_content_handler(pictures)
        .append_element_content_handler(styles)
        .append_element_content_handler(banner);
    // Fails only for invalid UTF-8 or a handler error; neither can happen here.
    rewrite_str(html, settings).unwrap_or_else(|_| html.to_owned())
}

/// The address within the preview of a link to a page of the site.
fn within(href: &str, address: &str, is_page: impl Fn(&str) -> bool) -> Option<String> {
    let (rest, fragment) = match href.split_once('#') {
        Some((rest, fragment)) => (rest, format!("#{fragment}")),
        None => (href, String::new()),
    };
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let own = path.starts_with('/') && !path.starts_with("//") && is_page(path);
    let query = match query {
        "" => String::new(),
        query => format!("&{query}"),
    };
    own.then(|| format!("{address}?path={path}{query}{fragment}"))
}
