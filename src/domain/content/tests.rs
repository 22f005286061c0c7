use serde_json::{Value, json};

use super::*;

fn check(section: &str, value: &Value, default: &Value) -> Vec<String> {
    let faults = ContentRules::bundled()
        .unwrap()
        .check(section, value, default);
    faults.into_iter().map(|fault| fault.to_string()).collect()
}

fn faqs(answer: &str) -> Value {
    json!([{ "key": "a", "question": "Why?", "answer": answer }])
}

#[test]
fn a_section_is_checked_to_the_letter() {
    assert_eq!(check("faqs", &faqs("Because."), &Value::Null), [""; 0]);
    let long = "x".repeat(501);
    for (answer, rule) in [
        ("", "is empty"),
        (long.as_str(), "has 501 characters; at most 500 are allowed"),
        (" a", "starts or ends with white space"),
        (
            "a\u{202e}b",
            "has a line break or a character that cannot be seen",
        ),
    ] {
        let expected = format!("faqs.json: /0/answer: {rule}");
        assert_eq!(check("faqs", &faqs(answer), &Value::Null), [expected]);
    }
    for hostile in [
        "</script>",
        "<b>\"'&",
        "{{",
        "{{company.city}} {{company.promise_answer}}",
        "Be **sure**,\nand [call](tel:{{company.phone}}).",
    ] {
        assert_eq!(check("faqs", &faqs(hostile), &Value::Null), [""; 0]);
    }
}

#[test]
fn an_unknown_name_is_refused_with_the_known_ones() {
    for unknown in [
        "{{company.json}}",
        "{{state.name}}",
        "{{ company.city }}",
        "{{company.promise_lunch}}",
    ] {
        let faults = check("faqs", &faqs(&format!("In {unknown} too.")), &Value::Null);
        assert_eq!(faults.len(), 1, "{unknown}");
        let fault = &faults[0];
        let named = format!("names {unknown}, which does not exist; write one of ");
        assert!(fault.contains(&named), "{fault}");
        assert!(fault.contains("{{company.city}}") && fault.contains("{{company.promise_answer}}"));
    }
}

#[test]
fn links_and_line_breaks_are_for_long_texts_only() {
    let link = "[x](javascript:alert)";
    let refused = check("faqs", &faqs(link), &Value::Null);
    assert!(
        refused[0].contains("has a link to javascript:alert"),
        "{refused:?}"
    );
    let question = |text: &str| json!([{ "key": "a", "question": text, "answer": "So." }]);
    assert_eq!(check("faqs", &question(link), &Value::Null), [""; 0]);
    let broken = check("faqs", &question("a\nb"), &Value::Null);
    assert!(broken[0].contains("has a line break"), "{broken:?}");
}

#[test]
fn a_sample_becomes_a_real_entry_only_with_words_of_its_own() {
    let sample = json!({
        "sample": true, "name": "Dana", "title": "Manager", "company": "Sample Ridge",
        "image": "dana", "rating": 5, "text": "By nine a guard was here.",
    });
    let shipped = json!([sample]);
    let with = |changes: Value| {
        let mut entry = sample.clone();
        for (key, value) in changes.as_object().unwrap() {
            entry[key] = value.clone();
        }
        check("testimonials", &json!([entry]), &shipped)
    };
    let own = "is that of a sample; write your own";
    assert_eq!(with(json!({})), [""; 0]);
    assert_eq!(
        with(json!({ "text": "Mine." })),
        ["testimonials.json: /0/sample: is changed; take its mark off to make it a real entry"]
    );
    assert_eq!(
        with(json!({ "sample": false })),
        ["name", "company", "text"].map(|key| format!("testimonials.json: /0/{key}: {own}"))
    );
    let invented = json!({ "sample": false, "name": "Ann Lee", "company": "Lee Lofts" });
    assert_eq!(
        with(invented),
        [format!("testimonials.json: /0/text: {own}")]
    );
    let real = json!({
        "sample": false, "name": "Ann Lee", "company": "Lee Lofts", "text": "They came at once.",
    });
    assert_eq!(with(real), [""; 0]);

    let release = json!({
        "sample": true, "key": "a", "date": "2026-10-12", "title": "One center",
        "excerpt": "Short.", "content": ["Long."],
    });
    let mut renamed = release.clone();
    renamed["sample"] = false.into();
    renamed["excerpt"] = "Other.".into();
    renamed["content"] = json!(["Other."]);
    let titled = format!("press.json: /0/title: {own}");
    assert_eq!(
        check("press", &json!([renamed]), &json!([release])),
        [titled]
    );
}
