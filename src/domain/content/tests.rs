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
            "a\nb",
            "has a line break or a character that cannot be seen",
        ),
        (
            "a\u{202e}b",
            "has a line break or a character that cannot be seen",
        ),
        (
            "{{company.json}}",
            "names a fact that does not exist: {{company.json}}",
        ),
    ] {
        let expected = format!("faqs.json: /0/answer: {rule}");
        assert_eq!(check("faqs", &faqs(answer), &Value::Null), [expected]);
    }
    for hostile in [
        "</script>",
        "<b>\"'&",
        "{{",
        "{{company.city}} {{state.name}}",
    ] {
        assert_eq!(check("faqs", &faqs(hostile), &Value::Null), [""; 0]);
    }
}
