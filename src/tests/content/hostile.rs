//! Hostile texts in every field of the content: no page becomes anything else by them.

use std::collections::BTreeMap;

use lol_html::{RewriteStrSettings, element, rewrite_str};
use reqwest::Method;
use serde_json::{Value, json};

use super::{Editor, body};
use crate::pages::get;
use crate::support::app::TestApp;

/// Texts that do something where they are not escaped; each names `xss`.
const CORPUS: [&str; 16] = [
    "<script>xss()</script>",
    "\"><img src=x onerror=xss()>",
    "' onmouseover='xss()",
    "</script><script>xss()</script>",
    "</title></style><svg onload=xss()>",
    "--><xss-element><!--",
    "<!--head--><xss-element>",
    "&lt;xss-element&gt;",
    "&#60;xss-element&#62;",
    "javascript:xss()",
    "\\u003cxss-element>\\\"",
    "\"},{\"@type\":\"xss\"},{\"",
    "{{xss{{state.name{{",
    "${xss()}`+xss()+`",
    "<a href=\"javascript:xss()\">xss</a>",
    "</textarea></table><xss-element onclick=xss()>",
];

/// Puts the corpus into every text of a section.
struct Corpus {
    next: usize,
}

impl Corpus {
    /// A text of at most `max` characters, different from those before it.
    fn text(&mut self, max: usize) -> String {
        self.next += 1;
        let numbered = format!("{}{}", self.next, CORPUS[self.next % CORPUS.len()]);
        let text: String = numbered.chars().take(max).collect();
        text.trim().to_owned()
    }

    /// The value with every text replaced that may be any text.
    fn fill(&mut self, shape: &Value, value: &Value) -> Value {
        let max = || usize::try_from(shape["max"].as_u64().unwrap()).unwrap();
        match shape["type"].as_str().unwrap() {
            "object" => {
                let mut filled = value.clone();
                for field in shape["fields"].as_array().unwrap() {
                    let key = field["key"].as_str().unwrap();
                    if let Some(inner) = value.get(key).filter(|inner| !inner.is_null()) {
                        filled[key] = self.fill(field, inner);
                    }
                }
                filled
            }
            "list" => {
                let entries = value.as_array().unwrap().iter();
                entries
                    .map(|entry| self.fill(&shape["of"], entry))
                    .collect()
            }
            "text" => match shape["format"].as_str() {
                None => self.text(max()).into(),
                Some("url") => "https://xss.example/'onclick=xss()&quot;&lt;".into(),
                Some(_) => value.clone(),
            },
            "sample" => false.into(),
            _ => value.clone(),
        }
    }
}

/// What a page consists of beside its texts.
#[derive(Default)]
struct Parts {
    scripts: usize,
    hostile: Vec<String>,
}

/// Reads a page as a browser does.
fn parts(html: &str) -> Parts {
    let mut parts = Parts::default();
    let every = element!("*", |element| {
        let tag = element.tag_name();
        parts.scripts += usize::from(tag == "script");
        let mut harmful = tag.contains("xss");
        for attribute in element.attributes() {
            let value = attribute.value().trim_start().to_ascii_lowercase();
            let runs = ["href", "src", "action"].contains(&attribute.name().as_str())
                && value.starts_with("javascript:");
            harmful |= runs || attribute.name().starts_with("on") || value == "x";
        }
        if harmful {
            parts
                .hostile
                .push(format!("<{tag} {:?}>", element.attributes()));
        }
        Ok(())
    });
    let settings = RewriteStrSettings::new().append_element_content_handler(every);
    rewrite_str(html, settings).unwrap();
    parts
}

/// The JSON blocks of a page.
fn blocks(html: &str) -> Vec<Value> {
    let blocks = html.split("<script type=\"application/").skip(1);
    let text = |block: &str| {
        let (_, rest) = block.split_once('>').unwrap();
        serde_json::from_str(rest.split("</script>").next().unwrap()).unwrap()
    };
    blocks.map(text).collect()
}

#[tokio::test]
async fn hostile_texts_in_every_field_stay_texts_on_every_page() {
    let app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let mut paths: Vec<String> = body(&app, "/sitemap.xml")
        .await
        .split("<loc>")
        .skip(1)
        .map(|rest| rest.split("</loc>").next().unwrap())
        .map(|url| url.replacen(&*app.config.server.origin(), "", 1))
        .collect();
    paths.extend(["/admin", "/quote?service=fire-watch", "/quote?sent=1"].map(str::to_owned));
    let mut scripts = BTreeMap::new();
    for path in &paths {
        scripts.insert(path.clone(), parts(&body(&app, path).await).scripts);
    }

    let shapes: Value = serde_json::from_str(include_str!("../../../seeds/content.json")).unwrap();
    let (mut corpus, mut drafts) = (Corpus { next: 0 }, BTreeMap::new());
    for shape in shapes.as_array().unwrap() {
        let key = shape["key"].as_str().unwrap();
        let mut value = corpus.fill(shape, &editor.section(key).await);
        if key == "facts" {
            // Facts cannot name facts.
            value = serde_json::from_str(&value.to_string().replace("{{", "xss")).unwrap();
        }
        if key == "licenses" {
            value = json!([{
                "state": "TX", "number": "<xss-element>", "holder": "\"><xss-element>",
                "expires": "2099-01-01",
            }]);
        }
        let saved = editor.save(key, 0, &value).await;
        assert_eq!(saved.status(), 200, "{key}: {:?}", saved.text().await);
        drafts.insert(key.to_owned(), 1);
    }
    assert!(corpus.next > 1_000, "{} texts", corpus.next);
    let publish = json!({ "version": 0, "drafts": drafts });
    let published = editor.call(Method::POST, "/publish", publish).await;
    assert_eq!(published.status(), 200, "{:?}", published.text().await);

    for path in &paths {
        let html = body(&app, path).await;
        let Parts {
            scripts: now,
            hostile,
        } = parts(&html);
        assert_eq!(hostile, [""; 0], "{path}");
        assert_eq!(
            Some(&now),
            scripts.get(path),
            "{path} has another number of scripts"
        );
        let json = blocks(&html);
        assert!(!json.is_empty(), "{path}");
    }
    let home = body(&app, "/").await;
    assert!(
        home.contains("&amp;lt;xss-element"),
        "a text that was escaped already is escaped once more, not taken for markup"
    );
    let graph = blocks(&home)
        .into_iter()
        .find(|block| block.get("@graph").is_some());
    let graph = graph.unwrap()["@graph"].to_string();
    assert!(!graph.contains(r#""@type":"xss""#) && graph.contains("xss"));
    for path in ["/manifest.webmanifest", "/admin.webmanifest"] {
        let manifest = body(&app, path).await;
        serde_json::from_str::<Value>(&manifest).unwrap();
    }
    let xml = body(&app, "/sitemap.xml").await;
    assert!(!xml.contains("xss"), "{xml}");
    assert_eq!(get(&app, "/llms.txt").await.status(), 200);
}

#[tokio::test]
async fn the_name_of_the_company_is_escaped_in_emails() {
    let app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let mut facts = editor.section("facts").await;
    facts["name"] = "O\"Neil & <Sons>".into();
    editor.show(0, "facts", &facts).await;
    app.stored(json!({})).await;
    app.run_outbox().await;
    let email = &app.mailbox()[0].html;
    assert!(email.contains("O&quot;Neil &amp; &lt;Sons&gt;"), "{email}");
    assert!(!email.contains("<Sons>"));
}
