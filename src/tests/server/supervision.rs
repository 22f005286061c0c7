//! Background tasks that panic: readiness and metrics.

use std::time::Duration;

use serde_json::json;
use tokio::time::timeout;

use crate::server::tls::free_address;
use crate::support::app::TestApp;

const BOUND: Duration = Duration::from_secs(10);

async fn metrics(address: &str) -> String {
    let answer = reqwest::get(format!("http://{address}/metrics")).await;
    answer.unwrap().text().await.unwrap()
}

async fn with_metrics() -> (TestApp, String) {
    let address = free_address();
    let app = TestApp::with(|config| config.server.metrics_listen = address.clone()).await;
    (app, address)
}

#[tokio::test]
async fn a_background_task_that_panics_is_named_by_readyz_and_counted_by_the_metrics() {
    let (app, address) = with_metrics().await;
    let ready = app.http.get(app.url("/readyz")).send().await.unwrap();
    assert_eq!(ready.status(), 200);
    let figures = metrics(&address).await;
    assert!(figures.contains("\nguardpost_background_tasks_down 0\n"));
    assert!(figures.contains("\nguardpost_background_restarts_total 0\n"));

    app.tasks.spawn("email delivery", || async {
        panic!("expected by the test")
    });
    timeout(BOUND, async {
        while app.tasks.down().is_empty() {
            tokio::task::yield_now().await;
        }
    })
    .await
    .unwrap();

    let ready = app.http.get(app.url("/readyz")).send().await.unwrap();
    assert_eq!(ready.status(), 503);
    assert!(ready.text().await.unwrap().contains("email delivery"));
    // A proxy on this machine passes on what strangers ask.
    for header in ["x-forwarded-for", "x-real-ip", "forwarded", "via"] {
        let asked = app.http.get(app.url("/readyz")).header(header, "127.0.0.1");
        let ready = asked.send().await.unwrap();
        assert_eq!(ready.status(), 503);
        let shown = ready.text().await.unwrap();
        assert_eq!(shown, r#"{"status":"unavailable"}"#, "{header}");
    }
    let figures = metrics(&address).await;
    assert!(
        figures.contains("\nguardpost_background_tasks_down 1\n"),
        "{figures}"
    );
}

#[tokio::test]
async fn late_emails_are_counted_where_no_delivery_task_runs() {
    let (app, address) = with_metrics().await;
    app.stored(json!({})).await;
    app.clock.advance(60 * 60 * 1000 - 1);
    assert!(
        metrics(&address)
            .await
            .contains("\nguardpost_outbox_late 0\n")
    );
    app.clock.advance(1000);
    assert!(
        metrics(&address)
            .await
            .contains("\nguardpost_outbox_late 1\n")
    );
}
