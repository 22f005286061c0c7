//! A server that is killed again and again while replies are posted, wait and leave.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use config::Auth;
use reqwest::StatusCode;
use serde_json::json;
use tokio::time::timeout;

use crate::mail::delivery::{app_with, deliver_all};
use crate::server::tls::free_address;
use crate::support::app::TestApp;
use crate::support::cli_process::{Cli, ServerProcess};
use crate::support::smtp::SmtpServer;

/// How long a server may take to send what is due.
const BOUND: Duration = Duration::from_secs(20);
const MARIA: &str = "maria@property.example";

/// Lets the ten seconds pass, and the leases of servers that were killed.
async fn pass(app: &TestApp) {
    app.sql(
        "UPDATE outbox SET due_at = '1970-01-01T00:00:00.000Z', lease = NULL WHERE state = 'due'",
    )
    .await;
}

/// Sends all that is due.
async fn settle(app: &TestApp) {
    while app.rows("outbox WHERE state = 'due'").await > 0 {
        pass(app).await;
        deliver_all(&app.smtp_worker()).await;
    }
}

/// Replies through the server at `origin`; whether it was confirmed.
async fn reply(http: &reqwest::Client, origin: &str, token: &str, (id, n): (&str, usize)) -> bool {
    let url = format!("{origin}/api/admin/inbox/{id}/replies");
    let body = json!({ "subject": "Your request", "text": format!("Letter {n:02}.") });
    let request = http.post(url).bearer_auth(token).json(&body);
    let answer = request.send().await;
    answer.is_ok_and(|answer| [StatusCode::CREATED, StatusCode::OK].contains(&answer.status()))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_while_replies_leave_sends_each_letter_once() {
    kill_while_replying(12).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes a minute"]
async fn the_same_at_fifty_points() {
    kill_while_replying(50).await;
}

async fn kill_while_replying(kills: usize) {
    let smtp = SmtpServer::start(&[]).await;
    // A process accepts no weaker passwords than these.
    let app = app_with(&smtp, |config| {
        config.auth = Auth::default();
        config.server.base_url = "http://guard.example".to_owned();
    })
    .await;
    app.advance_to_now();
    let token = app.admin().await.access_token;
    let id = app.stored(json!({ "emergency_contact": false })).await;
    deliver_all(&app.smtp_worker()).await;
    let cli = Cli::new();
    let settings = app.config.without_secrets().unwrap();
    fs::write(cli.path("config.toml"), settings).unwrap();
    let private = fs::Permissions::from_mode(0o700);
    fs::set_permissions(app.folder.path(), private).unwrap();
    let http = reqwest::Client::new();
    for n in 0..kills {
        let address = free_address();
        let server = ServerProcess::run(cli.command(&["serve", "--listen", &address]));
        let origin = format!("http://{address}");
        let accepted = smtp.emails().len();
        let is_posted = match n % 4 {
            // While it is posted.
            0 => {
                let posted = reply(&http, &origin, &token, (&id, n));
                let kill = async {
                    tokio::time::sleep(Duration::from_millis(n as u64)).await;
                    server.kill();
                };
                tokio::join!(posted, kill).0
            }
            // In its ten seconds.
            1 => {
                let posted = reply(&http, &origin, &token, (&id, n)).await;
                server.kill();
                posted
            }
            // While it leaves, and once the mail server has it.
            stage => {
                let posted = reply(&http, &origin, &token, (&id, n)).await;
                let attempts = smtp.attempts();
                pass(&app).await;
                let left = async {
                    match stage {
                        2 => smtp.wait_for_attempts(attempts + 1).await,
                        _ => smtp.wait_for_accepted(accepted + 1).await,
                    }
                };
                timeout(BOUND, left).await.unwrap();
                server.kill();
                posted
            }
        };
        if !is_posted {
            // The dispatcher presses the button again.
            let origin = app.url("");
            assert!(reply(&http, &origin, &token, (&id, n)).await, "letter {n}");
        }
    }
    settle(&app).await;
    let sent = smtp.emails().len();
    pass(&app).await;
    deliver_all(&app.smtp_worker()).await;
    assert_eq!(
        smtp.emails().len(),
        sent,
        "what has left does not leave again"
    );
    each_letter_once(&app, &smtp, kills).await;
}

async fn each_letter_once(app: &TestApp, smtp: &SmtpServer, kills: usize) {
    let unsent =
        "SELECT coalesce(group_concat(concat_ws(' ', kind, state, due_at, last_error)), '')
                  FROM outbox WHERE state <> 'sent'";
    assert_eq!(app.sql_text(unsent).await, "");
    let delivered = "events WHERE verb = 'replied' AND detail ->> 'state' = 'delivered'";
    for events in [delivered, "events WHERE verb = 'replied'"] {
        assert_eq!(app.rows(events).await, i64::try_from(kills).unwrap());
    }
    // A mail server that has an email cannot take it back: the next attempt is the same message, by
    // which the customer's mail program recognizes it.
    let mut letters: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let emails = smtp.emails().into_iter().filter(|mail| mail.to == [MARIA]);
    for mail in emails {
        letters.entry(mail.message_id).or_default().push(mail.text);
    }
    assert_eq!(letters.len(), kills);
    // Only an email of which an attempt was cut off leaves again.
    let attempts = attempts(app).await;
    for (message_id, copies) in &letters {
        let (number, _) = message_id.split_once('.').unwrap();
        let count = attempts[number];
        assert!(copies.len() <= count, "{message_id}: {count} attempts");
    }
    let again = letters.values().filter(|copies| copies.len() > 1).count();
    println!("{again} of {kills} letters left again, under their Message-ID");
    let mut texts: Vec<&str> = Vec::new();
    for copies in letters.values() {
        assert!(copies.iter().all(|copy| *copy == copies[0]), "{copies:?}");
        texts.push(&copies[0]);
    }
    texts.sort_unstable();
    assert_eq!(texts.len(), kills);
    for (n, text) in texts.iter().enumerate() {
        assert!(text.contains(&format!("Letter {n:02}.")), "{text}");
    }
}

/// The attempts at each reply, by the number in its Message-ID.
async fn attempts(app: &TestApp) -> BTreeMap<String, usize> {
    let sql = "SELECT group_concat(id || ' ' || attempts) FROM outbox WHERE kind = 'reply'";
    let all = app.sql_text(sql).await;
    let each = all.split(',').map(|one| one.split_once(' ').unwrap());
    each.map(|(id, count)| (id.to_owned(), count.parse().unwrap()))
        .collect()
}
