//! What operators see of emails: metrics and log lines, while visitors' requests go on.

use serde_json::json;

use super::cases::cases;
use super::desk::Desk;
use super::pipe::receive;
use crate::server::tls::free_address;
use crate::support::log::Log;

async fn metrics(address: &str) -> String {
    let answer = reqwest::get(format!("http://{address}/metrics")).await;
    answer.unwrap().text().await.unwrap()
}

#[tokio::test]
async fn the_metrics_count_emails_of_every_process_and_what_waits() {
    let address = free_address();
    let desk = Desk::with(|config| config.server.metrics_listen = address.clone()).await;
    let counts = async |received: u64, waiting: u64| {
        let figures = metrics(&address).await;
        for (name, count) in [
            ("received_emails", received),
            ("received_emails_waiting", waiting),
            ("received_emails_pending", 0),
            ("mailbox_failing", 0),
        ] {
            let line = format!("\nguardpost_{name} {count}\n");
            assert!(figures.contains(&line), "{line}{figures}");
        }
    };
    counts(0, 0).await;
    assert_eq!(
        receive(&desk, desk.answer(1, "x").as_bytes(), &[]).await.0,
        Some(0)
    );
    counts(1, 0).await;
    let stray = "From: bob@x.example\nSubject: new\n\nwords\n";
    assert_eq!(receive(&desk, stray.as_bytes(), &[]).await.0, Some(0));
    counts(2, 1).await;
}

#[tokio::test]
async fn each_way_of_an_email_is_a_line_of_the_log_without_its_words() {
    let desk = Desk::start().await;
    let log = Log::start();
    desk.receive(desk.answer(1, "my secret words")).await;
    desk.receive("From: bob@x.example\nSubject: new\n\nmy secret words\n")
        .await;
    let too_large = vec![b'x'; 31 * 1024 * 1024];
    let way = store::conversation::received::Way::Pipe;
    let refused = desk.app.inbound.receive(too_large, way, None).await;
    assert!(refused.is_err());
    for line in [
        "an email was received",
        "an email belongs to no request",
        "an email was not stored",
        "the email is too large: at most 30 MB are accepted",
    ] {
        assert_eq!(log.count(line), 1, "{line}: {}", log.text());
    }
    assert_eq!(log.count("secret words"), 0);
}

#[tokio::test]
async fn visitors_requests_are_stored_while_hostile_emails_come() {
    let desk = Desk::start().await;
    let names = cases().into_iter().map(|case| case.name);
    let hostile = names.filter(|name| name.starts_with("hostile"));
    let receiving = async {
        for name in hostile {
            desk.receive(desk.case(&name)).await;
        }
    };
    let posting = async {
        for n in 0..20 {
            let place = format!("{n} Bayou Street");
            desk.app.stored(json!({ "location": place })).await;
        }
    };
    tokio::join!(receiving, posting);
    assert_eq!(desk.app.rows("quotes").await, 21);
}
