//! `GET /api/admin/system` and the metrics of backups, emails and requests.

use std::fs;

use reqwest::StatusCode;
use serde_json::{Value, json};
use store::database::maintenance::Job;

use crate::server::tls::free_address;
use crate::support::app::TestApp;
use crate::support::cli_process::Cli;
use crate::support::visitors::quote;

const HOUR: i64 = 60 * 60 * 1000;

pub async fn system(app: &TestApp, token: &str) -> Value {
    let asked = app
        .http
        .get(app.url("/api/admin/system"))
        .bearer_auth(token);
    let answer = asked.send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    answer.json().await.unwrap()
}

#[tokio::test]
async fn the_desk_lists_the_emails_that_could_not_be_delivered() {
    let app = TestApp::start().await;
    let token = app.admin().await.access_token;
    let id = app.stored(json!({})).await;
    app.store
        .write(|conn| {
            let sql = "UPDATE outbox SET state = 'failed', last_error = 'mailbox unavailable'";
            Ok(conn.execute(sql, [])?)
        })
        .await
        .unwrap();
    let problems = system(&app, &token).await["problems"].clone();
    assert_eq!(problems, json!(["1 email could not be delivered."]));
    let asked = app.http.get(app.url("/api/admin/emails"));
    let answer = asked.bearer_auth(&token).send().await.unwrap();
    let listed: Value = answer.json().await.unwrap();
    let email = &listed["emails"][0];
    assert_eq!(
        (&email["kind"], &email["request"]),
        (&json!("quote"), &json!(id))
    );
    assert_eq!(email["error"], "mailbox unavailable");
    let refused = app
        .http
        .get(app.url("/api/admin/emails"))
        .send()
        .await
        .unwrap();
    assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn admins_see_the_state_of_backups_and_emails_and_others_do_not() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("all");
    let app = TestApp::with(|config| config.backup.to = to.to_str().unwrap().to_owned()).await;
    let (admin, member) = (app.admin().await, app.member().await);
    let refused = app
        .http
        .get(app.url("/api/admin/system"))
        .bearer_auth(member.access_token);
    assert_eq!(refused.send().await.unwrap().status(), 403);
    let token = admin.access_token;
    let fresh = system(&app, &token).await;
    assert_eq!(
        (&fresh["backup"], &fresh["problems"]),
        (&Value::Null, &json!([]))
    );

    let jobs = app.maintenance();
    jobs.run_due().await;
    let state = system(&app, &token).await;
    assert_eq!(
        (&state["backup"]["ok"], &state["backup_proof"]["ok"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(state["problems"], json!([]));
    assert!(state["disk_free_bytes"].as_i64().unwrap() > 0);

    fs::remove_dir_all(&to).unwrap();
    fs::write(&to, "a file").unwrap();
    app.clock.advance(24 * HOUR);
    jobs.run_due().await;
    app.ask("198.51.100.1", None, &quote(json!({}))).await;
    app.clock.advance(2 * HOUR);
    let token = app.sign_in("ada@guard.example").await.access_token;
    let state = system(&app, &token).await;
    assert_eq!(state["emails"]["late"], 3);
    let problems = state["problems"].to_string();
    for problem in [
        "The last backup failed.",
        "The last proof of the backup failed.",
        "3 emails not delivered",
    ] {
        assert!(problems.contains(problem), "{problem}: {problems}");
    }
    let run = app.store.last_run(Job::Backup).await.unwrap().unwrap();
    assert_eq!(state["backup"]["detail"], run.detail);
}

#[tokio::test]
async fn admins_see_that_no_backups_are_made_and_how_long_an_invitation_lives() {
    let app = TestApp::start().await;
    let token = app.admin().await.access_token;
    let state = system(&app, &token).await;
    assert_eq!(state["backups_missing"], true);
    assert_eq!(state["invitation_seconds"], 24 * 3600);
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().to_str().unwrap().to_owned();
    let app = TestApp::with(|config| config.backup.to = to).await;
    let token = app.admin().await.access_token;
    assert_eq!(system(&app, &token).await["backups_missing"], false);
}

#[tokio::test]
async fn the_metrics_tell_of_backups_requests_and_failed_sign_ins() {
    let metrics = free_address();
    let folder = tempfile::tempdir().unwrap();
    let app = TestApp::with(|config| {
        config.server.metrics_listen = metrics.clone();
        config.backup.to = folder.path().join("all").to_str().unwrap().to_owned();
    })
    .await;
    app.stored(json!({"email": "sample@property.example"}))
        .await;
    app.sql("UPDATE requests SET demo = 1").await;
    app.stored(json!({})).await;
    let jobs = app.maintenance();
    jobs.run_due().await;
    app.admin().await;
    let wrong = json!({"email": "ada@guard.example", "password": "not this one"});
    let path = app.url("/auth/v1/token?grant_type=password");
    app.http.post(path).json(&wrong).send().await.unwrap();
    app.clock.advance(90_000);
    let text = app
        .http
        .get(format!("http://{metrics}/metrics"))
        .send()
        .await
        .unwrap();
    let text = text.text().await.unwrap();
    for line in [
        &format!(
            "guardpost_build_info{{version=\"{}\",commit=\"unknown\",date=\"unknown\",\
             schema=\"{}\"}} 1",
            env!("CARGO_PKG_VERSION"),
            store::database::schema::VERSION
        ),
        "guardpost_backup_age_seconds 90",
        "guardpost_backup_failed 0",
        "guardpost_backup_proof_age_seconds 90",
        "guardpost_retention_age_seconds 90",
        "guardpost_oldest_pending_seconds 90",
        "guardpost_sign_in_failures_hour 1",
        "guardpost_outbox_held 0",
        "guardpost_mail_server_failing 0",
        "guardpost_alarms_waiting 0",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}: {text}");
    }
    assert!(text.contains("guardpost_disk_free_bytes ") && !text.contains("certificate"));
    for part in [
        "guardpost_request_seconds_bucket{le=\"0.02\",route_group=\"api\"}",
        "process_resident_memory_bytes ",
        "process_open_fds ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[tokio::test]
async fn a_mail_server_that_takes_nothing_is_said_everywhere_within_minutes() {
    let metrics = free_address();
    let mail = free_address();
    let app = TestApp::with(|config| {
        config.server.metrics_listen = metrics.clone();
        let (host, port) = mail.rsplit_once(':').unwrap();
        config.mail.smtp_host = host.to_owned();
        config.mail.smtp_port = port.parse().unwrap();
        config.mail.smtp_security = config::SmtpSecurity::None;
    })
    .await;
    let token = app.admin().await.access_token;
    app.stored(json!({})).await;
    let smtp = outbox::mailer::Smtp::new(&app.config.mail).unwrap();
    let worker = app.delivery_worker(std::sync::Arc::new(smtp));
    worker.deliver_due().await.unwrap();
    let failing = || async {
        let asked = app.http.get(format!("http://{metrics}/metrics")).send();
        let text = asked.await.unwrap().text().await.unwrap();
        text.lines()
            .any(|line| line == "guardpost_mail_server_failing 1")
    };
    assert!(failing().await);
    app.clock.advance(3 * 60_000);
    let said = "The mail server has taken no emails for 3 minutes, they wait: ";
    let problems = system(&app, &token).await["problems"].to_string();
    assert!(
        problems.contains(said) && problems.contains("Connection refused"),
        "{problems}"
    );
    // The command reads the clock of the system.
    app.sql("UPDATE mail_outage SET since = '2026-01-01T00:00:00.000Z'")
        .await;
    let checked = Cli::on_data_of(&app).run(&["check"]);
    assert!(!checked.success);
    assert!(
        checked
            .stdout
            .contains("fault: The mail server has taken no emails for ")
    );
    app.clock.advance(60 * 60_000);
    app.run_outbox().await;
    assert!(!app.mailbox().is_empty());
    assert_eq!(app.rows("mail_outage").await, 0);
    assert!(!failing().await);
}
