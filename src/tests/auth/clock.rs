//! A machine whose clock is set back, or was ahead at the last run: the server goes on from the
//! newest time that it has told or stored.

use domain::clock::{Clock, DAY_MS, HOUR_MS, MINUTE_MS, Time};
use rusqlite::{Connection, OpenFlags};
use serde_json::json;

use super::factors::{totp_code, verify_factor, with_factor};
use super::sign_in::try_password;
use crate::support::app::{START, TestApp};
use crate::support::cli_process::{Cli, ServerProcess};
use crate::support::people::PASSWORD;

const MAX: &str = "max@guard.example";

#[tokio::test]
async fn a_clock_that_is_set_back_extends_no_link_delays_nothing_and_locks_nobody_out() {
    for back in [DAY_MS, HOUR_MS] {
        let app = TestApp::with(|config| config.auth.signup = true).await;
        app.join(MAX).await;
        let secured = with_factor(&app, app.sign_in(MAX).await).await;
        for _ in 0..21 {
            try_password(&app, MAX, "wrong", "198.51.100.1").await;
        }
        let body = json!({ "email": MAX });
        app.auth_post("/recover", body).await.ok();
        let link = app.mail_to(MAX).await.link().unwrap();
        app.stored(json!({})).await;

        app.clock.advance(-back);
        app.run_outbox().await;
        let due = app.rows("outbox WHERE state = 'due'").await;
        assert_eq!(due, 0, "the notice leaves at once");
        app.clock.advance(5 * MINUTE_MS);
        try_password(&app, MAX, PASSWORD, "198.51.100.2").await.ok();
        // The phone goes by the right time, as the machine does now.
        let person = app.sign_in(MAX).await;
        let code = totp_code(&app, &secured.secret, 0);
        verify_factor(&app, &person, &secured.factor, &code)
            .await
            .ok();
        app.clock.advance(HOUR_MS + 10 * MINUTE_MS);
        let late = app.confirm(&link).await;
        assert_eq!(late.fragment("error_code").as_deref(), Some("otp_expired"));
    }
}

#[tokio::test]
async fn a_start_goes_on_from_the_newest_stored_time() {
    let mut app = TestApp::start().await;
    let first = app.stored(json!({})).await;
    app.clock = Clock::manual(Time::parse(START).unwrap().plus_millis(-DAY_MS));
    app.restart().await;
    let second = app.stored(json!({"location": "Katy"})).await;
    let created = async |id: String| app.store.quote(id).await.unwrap().created_at;
    assert!(created(second).await >= created(first).await);
}

#[test]
fn check_and_the_log_say_that_something_is_stored_of_a_later_time_than_the_machines() {
    let cli = Cli::new();
    cli.run_ok(&["seed-demo"]);
    let says_so = || {
        let found = cli.run(&["check"]).stdout;
        found.contains("warning: the machine's clock says ")
    };
    assert!(!says_so());
    let file = cli.path("data/guardpost.db");
    let conn = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    conn.execute_batch(
        "INSERT INTO audit (id, at, action, actor)
         VALUES ('a', '2090-01-01T00:00:00.000Z', 'signed_in', 'operator')",
    )
    .unwrap();
    drop(conn);
    assert!(says_so());
    let (_, log) = ServerProcess::start(&cli, &[]).stop("-TERM");
    assert!(
        log.contains("the machine's clock is behind the newest stored time"),
        "{log}"
    );
}
