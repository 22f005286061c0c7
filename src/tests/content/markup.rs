//! The markup of long texts: every field that takes it is rendered with it.

use serde_json::{Value, json};

use super::{Editor, body};
use crate::support::app::TestApp;

/// Puts bold words, each with its number, into the texts of a section that take markup.
fn mark(shape: &Value, value: &mut Value, count: &mut usize) {
    match shape["type"].as_str() {
        Some("object") => {
            for field in shape["fields"].as_array().unwrap() {
                if let Some(inner) = value.get_mut(field["key"].as_str().unwrap()) {
                    mark(field, inner, count);
                }
            }
        }
        Some("list") => {
            // A sample stays as it is.
            let entries = value.as_array_mut().unwrap().iter_mut();
            for entry in entries.filter(|entry| entry["sample"] != true) {
                mark(&shape["of"], entry, count);
            }
        }
        _ if shape["markup"] == true => {
            *count += 1;
            *value = json!(format!("Some **words {count}** are bold."));
        }
        _ => {}
    }
}

#[tokio::test]
async fn every_text_that_takes_markup_is_shown_with_it() {
    let app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let shapes: Value = serde_json::from_str(include_str!("../../../seeds/content.json")).unwrap();
    let (mut count, mut version) = (0, 0);
    let mut paths = vec!["/".to_owned(), "/about".to_owned()];
    for shape in shapes.as_array().unwrap() {
        let key = shape["key"].as_str().unwrap();
        let mut value = editor.section(key).await;
        if key == "services" {
            let pages = value["pages"].as_array().unwrap().iter();
            paths.extend(pages.map(|page| page["path"].as_str().unwrap().to_owned()));
        }
        let before = count;
        mark(shape, &mut value, &mut count);
        if count > before {
            editor.show(version, key, &value).await;
            version += 1;
        }
    }
    let mut pages = String::new();
    for path in &paths {
        pages += &body(&app, path).await;
    }
    let missing: Vec<usize> = (1..=count)
        .filter(|number| !pages.contains(&format!("<strong>words {number}</strong>")))
        .collect();
    assert!(count > 40, "{count} texts");
    assert_eq!(missing, [0; 0], "texts that are shown as they are typed");
}
