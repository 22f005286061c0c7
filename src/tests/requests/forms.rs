//! The shared cases of the form rules; the frontend's tests run the same file.

use std::collections::BTreeMap;

use domain::form::Forms;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    form: String,
    name: String,
    input: BTreeMap<String, serde_json::Value>,
    values: Option<BTreeMap<String, serde_json::Value>>,
    errors: BTreeMap<String, String>,
    /// The earliest day that a date may be; any if empty.
    #[serde(default)]
    today: String,
}

fn snake_case(name: &str) -> String {
    let convert = |c: char| {
        if c.is_ascii_uppercase() {
            vec!['_', c.to_ascii_lowercase()]
        } else {
            vec![c]
        }
    };
    name.chars().flat_map(convert).collect()
}

fn text(value: &serde_json::Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn texts(values: BTreeMap<String, serde_json::Value>) -> BTreeMap<String, String> {
    values
        .iter()
        .map(|(name, value)| (snake_case(name), text(value)))
        .collect()
}

#[test]
fn the_server_validates_every_shared_case_as_expected() {
    let forms = Forms::bundled().unwrap();
    let cases: Vec<Case> =
        serde_json::from_str(include_str!("../../../seeds/forms/cases.json")).unwrap();
    assert!(cases.len() >= 80, "the cases cover every check");
    for case in cases {
        let form = match case.form.as_str() {
            "contact" => &forms.contact,
            "quote" => &forms.quote,
            "sign-in" => &forms.sign_in,
            other => panic!("no form `{other}`"),
        };
        let input = texts(case.input);
        let result = form.validate(|key| input.get(key).map(String::as_str), &case.today);
        let (values, errors) = match result {
            Ok(values) => (Some(values), BTreeMap::new()),
            Err(errors) => (
                None,
                errors.into_iter().map(|e| (e.field, e.message)).collect(),
            ),
        };
        assert_eq!(errors, case.errors, "{}: {}", case.form, case.name);
        if let Some(expected) = case.values {
            let mut expected = texts(expected);
            let values = values.unwrap_or_default();
            expected.retain(|key, _| values.contains_key(key.as_str()));
            let values: BTreeMap<_, _> = values
                .into_iter()
                .filter(|(key, _)| expected.contains_key(*key))
                .map(|(key, value)| (key.to_owned(), value))
                .collect();
            assert_eq!(values, expected, "{}: {}", case.form, case.name);
        }
    }
}
