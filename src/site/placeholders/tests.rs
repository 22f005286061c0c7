//! Facts are escaped for their context, and only a site on a loopback address shows samples.

use super::{Company, EscapeContext, Placeholders, Time};

fn placeholders() -> Placeholders {
    let company = Company {
        name: "O'Neil & \"Sons\" <b>".into(),
        licenses: [("TX".to_owned(), "B-1".into())].into(),
        ..Company::default()
    };
    Placeholders::new(
        &company,
        30,
        "https://x.example",
        Time::from_millis(0),
        [].into(),
        false,
    )
}

#[test]
fn a_fact_is_escaped_for_its_context() {
    for (text, context, filled) in [
        (
            "{{company.name}}!",
            EscapeContext::Text,
            "O'Neil & \"Sons\" <b>!",
        ),
        (
            "<p title=\"{{company.name}}\">",
            EscapeContext::Html,
            "<p title=\"O&#39;Neil &amp; &quot;Sons&quot; &lt;b&gt;\">",
        ),
        (
            "{\"name\":\"{{company.name}}\"}",
            EscapeContext::Json,
            "{\"name\":\"O'Neil & \\\"Sons\\\" <b>\"}",
        ),
        (
            "<a href=\"mailto:{{company.email}}?subject=To%20{{company.name}}\">\
             {{company.year}}</a>",
            EscapeContext::Html,
            "<a href=\"mailto:office@guardpost.example\
             ?subject=To%20O%27Neil%20%26%20%22Sons%22%20%3Cb%3E\">1969</a>",
        ),
        (
            "{{company.licenses.TX}}{{company.licenses.CA}}",
            EscapeContext::Html,
            "B-1",
        ),
        ("{{company.phone", EscapeContext::Html, "{{company.phone"),
    ] {
        assert_eq!(placeholders().fill(text, context), filled);
    }
}
