//! What the office and people with an account read.

use serde_json::json;

use crate::app::TestApp;
use crate::mail::Mail;
use crate::quotes::quote;

async fn letter_about(changes: serde_json::Value) -> Mail {
    let app = TestApp::start().await;
    let answer = app.ask("198.51.100.1", None, &quote(changes)).await;
    assert_eq!(answer.status(), 201);
    app.run_outbox().await;
    app.mailbox().remove(0)
}

#[tokio::test]
async fn the_office_reads_the_facts_that_decide_first() {
    let mail = letter_about(json!({"location": "Houston TX"})).await;
    assert_eq!(
        mail.subject,
        "Quote request: Fire Watch, Houston TX, starts 2026-12-01 (emergency call wanted)"
    );
    assert_eq!(mail.from, "Guardpost Security <office@guardpost.example>");
    assert_eq!(mail.to, ["Guardpost Security <office@guardpost.example>"]);
    assert_eq!(
        mail.reply_to.as_deref(),
        Some("María O’Brien <maria@property.example>")
    );
    let expected = "Quote request: Fire Watch

María O’Brien asks for a call right away.

Call      (713) 555-0188
Service   Fire Watch
Where     Houston TX
Starts    Tuesday, December 1, 2026
For       1 week
Name      María O’Brien
Company   Bayou Property & Sons
E-mail    maria@property.example
Received  November 21, 2026, 12:00 UTC

In their words:
> Panel is down on floors 3 to 9

Open this quote:
";
    assert!(mail.text.starts_with(expected), "{}", mail.text);
}
