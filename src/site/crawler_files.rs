//! Files for crawlers and tools: `sitemap.xml`, `robots.txt`, `llms.txt` and
//! `/.well-known/security.txt`.

use std::fmt::Write;

use super::placeholders::{EscapeContext, Placeholders, escape_html};
use super::seo::Seo;
use domain::clock::Time;

/// Validity of `security.txt`, in days. RFC 9116 section 2.5.5 recommends less than a year.
const SECURITY_DAYS: i64 = 180;

/// `sitemap.xml` (sitemaps.org 0.9): every public URL with the day its text last changed.
pub fn sitemap(seo: &Seo) -> String {
    let mut xml = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset \
         xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    for (url, day) in seo.sitemap_entries() {
        let _ = writeln!(
            xml,
            "<url><loc>{}</loc><lastmod>{day}</lastmod></url>",
            escape_html(&url)
        );
    }
    xml.push_str("</urlset>\n");
    xml
}

/// `robots.txt` (RFC 9309): everything except the dashboard and the API.
pub fn robots(seo: &Seo) -> String {
    format!(
        "User-agent: *\nDisallow: /admin\nDisallow: /api/\nDisallow: /auth/\n\nSitemap: {}\n",
        seo.url("/sitemap.xml")
    )
}

/// `llms.txt` (llmstxt.org): a summary of the company and a list of the pages, in Markdown.
pub fn llms(seo: &Seo, placeholders: &Placeholders) -> String {
    let mut text = placeholders.fill(
        "# {{company.name}}\n\n> Security guard company in {{company.city}}, {{company.region}}, \
         serving all 50 states. \
         Phone {{company.phone}}, email {{company.email}}, {{company.address}}.\n\n## Pages\n\n",
        EscapeContext::Text,
    );
    let content = seo.content();
    for page in content.pages.iter().filter(|page| page.sitemap) {
        if let (Some(path), Some(menu)) = (&page.path, &page.menu) {
            let description = placeholders.fill(&page.description, EscapeContext::Text);
            let _ = writeln!(text, "- [{menu}]({}): {description}", seo.url(path));
        }
    }
    text.push_str("\n## States\n\n");
    for state in &content.states {
        let _ = writeln!(
            text,
            "- [{}]({})",
            state.name,
            seo.url(&format!("/states/{}", state.slug))
        );
    }
    text
}

/// `security.txt` (RFC 9116) as of `now`. It always expires `SECURITY_DAYS` in the future.
pub fn security(seo: &Seo, placeholders: &Placeholders, now: Time) -> String {
    let expires = now.plus_seconds(SECURITY_DAYS * 86_400).day();
    format!(
        "Contact: mailto:{}\nExpires: {expires}T00:00:00.000Z\nPreferred-Languages: \
         en\nCanonical: {}\n",
        placeholders.get("email"),
        seo.url("/.well-known/security.txt")
    )
}
