//! A server that is killed again and again while alarms go through their chain.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use config::Auth;
use reqwest::StatusCode;
use serde_json::json;

use super::webhooks::add;
use super::{Desk, MINUTE};
use crate::server::tls::free_address;
use crate::support::app::TestApp;
use crate::support::cli_process::{Cli, ServerProcess};
use crate::support::listener::Listener;
use crate::support::people::Person;
use crate::support::visitors::{ask, quote, visitor};

/// A hundred take a minute, with the same result.
const KILLS: u32 = 20;
/// Seconds that pass between two kills: longer than a lease, and the whole chain in all.
const PAUSE: u32 = 63;

/// Lets time pass for what is due.
async fn pass(app: &TestApp, seconds: u32) {
    let turn = |column: &str| {
        format!("{column} = strftime('%Y-%m-%dT%H:%M:%fZ', {column}, '-{seconds} seconds')")
    };
    let sql = format!(
        "UPDATE alarms SET {}, {}; UPDATE alarm_messages SET {due}, {lease};
         UPDATE webhook_deliveries SET {due}, {lease};",
        turn("round_at"),
        turn("next_at"),
        due = turn("due_at"),
        lease = turn("lease"),
    );
    let run = move |conn: &rusqlite::Connection| Ok(conn.execute_batch(&sql)?);
    app.store.write(run).await.unwrap();
}

/// Rows of a query, their columns joined by spaces.
async fn rows(app: &TestApp, sql: &'static str) -> Vec<String> {
    let read = move |conn: &rusqlite::Connection| {
        let mut query = conn.prepare(sql)?;
        let found = query.query_map([], |row| row.get(0))?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    };
    app.store.read(read).await.unwrap()
}

/// Waits for the chosen point of the work of a server; then it is killed.
async fn point(round: u32, targets: [&Listener; 3]) {
    let until = |seen: bool, started: Instant| seen || started.elapsed() > Duration::from_secs(1);
    let (started, before) = (Instant::now(), targets.map(Listener::count));
    match round % 4 {
        0 => {}
        1 => tokio::time::sleep(Duration::from_millis(u64::from(round) * 7 % 60)).await,
        // A service has the request, and the server perhaps its answer.
        2 => {
            while !until(targets.map(Listener::count) != before, started) {
                tokio::task::yield_now().await;
            }
        }
        _ => tokio::time::sleep(Duration::from_millis(300)).await,
    }
}

/// Three people on call with devices and numbers, and a webhook.
async fn prepared(target: &Listener) -> Desk {
    let desk = Desk::with(|config| {
        config.alarms.test = String::new();
        // A process accepts no longer sessions.
        config.auth = Auth::default();
    })
    .await;
    desk.app.advance_to_now();
    let ada = desk.app.sign_in(&desk.ada.email).await;
    let desk = Desk { ada, ..desk };
    let (ben, cyd) = (
        desk.app.admin_as("ben@guard.example").await,
        desk.app.admin_as("cyd@guard.example").await,
    );
    desk.on_call(&[&desk.ada, &ben]).await;
    let people: [(&Person, &str); 3] = [
        (&desk.ada, "7135550111"),
        (&ben, "7135550122"),
        (&cyd, "7135550133"),
    ];
    for (n, (person, phone)) in people.into_iter().enumerate() {
        desk.number(person, phone).await;
        desk.device(person, &format!("/{n}")).await;
    }
    let events = json!({ "events": ["request.created", "alarm.raised"] });
    add(&desk, target, events).await;
    desk
}

#[tokio::test]
async fn a_server_that_is_killed_at_many_points_of_a_chain_loses_no_step_and_adds_none() {
    let target = Listener::start().await;
    let desk = prepared(&target).await;
    let app = &desk.app;
    let cli = Cli::new();
    fs::write(
        cli.path("config.toml"),
        app.config.without_secrets().unwrap(),
    )
    .unwrap();
    let private = fs::Permissions::from_mode(0o700);
    fs::set_permissions(app.folder.path(), private).unwrap();
    let (http, mut confirmed) = (reqwest::Client::new(), 0);
    let targets = [&desk.push, &desk.phone, &target];
    for round in 0..KILLS {
        let address = free_address();
        let mut command = cli.command(&["serve", "--listen", &address]);
        command.env("GUARDPOST_SERVER__TRUSTED_PROXIES", "['127.0.0.0/8']");
        let server = ServerProcess::run(command);
        let body = quote(json!({
            "location": format!("{round} Bayou Street"),
            "email": format!("visitor{round}@property.example"),
        }));
        let (origin, client) = (format!("http://{address}"), visitor(round));
        let asked = ask(&http, &origin, &client, None, &body);
        let (answer, ()) = tokio::join!(asked, async {
            point(round, targets).await;
            server.kill();
        });
        confirmed += i64::from(answer.is_ok_and(|it| it.status() == StatusCode::CREATED));
        pass(app, PAUSE).await;
    }
    assert!(confirmed > 0);
    // One alarm goes through the whole chain undisturbed, while the others end.
    app.stored(json!({ "location": "1 Calm Street" })).await;
    for _ in 0..KILLS {
        app.clock.advance(MINUTE);
        desk.deliver().await;
        app.webhooks().deliver_due().await.unwrap();
    }
    // Calls that wait for their bound are placed by then.
    for _ in 0..20 {
        app.clock.advance(30 * MINUTE);
        desk.deliver().await;
    }
    assert!(
        app.rows("alarms").await > confirmed,
        "of each request confirmed"
    );
    assert_eq!(app.rows("alarms").await, app.rows("quotes").await);
    whole_chains(app).await;
    no_extra_messages(&desk, &target).await;
}

/// Each alarm has notified the same people as the undisturbed one, in each step.
async fn whole_chains(app: &TestApp) {
    let steps = rows(
        app,
        // What stands in for a call that waits for its bound is not part of the chain.
        "SELECT alarm || ' ' || step || ' ' || user_id || ' ' || channel || ' ' || device
         FROM alarm_messages WHERE state = 'sent' AND round = 1 AND channel <> 'email'
           AND NOT (step = 1 AND channel = 'push')",
    );
    let mut told: BTreeMap<i64, BTreeSet<String>> = BTreeMap::new();
    for row in steps.await {
        let (alarm, step) = row.split_once(' ').unwrap();
        let steps = told.entry(alarm.parse().unwrap()).or_default();
        assert!(steps.insert(step.to_owned()));
    }
    let (_, calm) = told.last_key_value().unwrap();
    assert!(calm.len() > 9, "{calm:?}");
    assert_eq!(i64::try_from(told.len()).unwrap(), app.rows("alarms").await);
    for (alarm, steps) in &told {
        assert_eq!(steps, calm, "alarm {alarm}");
    }
    let open = "SELECT state FROM alarm_messages WHERE state <> 'sent'
        UNION ALL SELECT state FROM webhook_deliveries WHERE state <> 'sent'";
    assert_eq!(rows(app, open).await, [""; 0]);
}

/// Each message that was sent for itself reached its service under one number, again only after an
/// attempt that was interrupted.
async fn no_extra_messages(desk: &Desk, target: &Listener) {
    let mut calls: BTreeMap<String, usize> = BTreeMap::new();
    for call in desk.phone.take() {
        *calls
            .entry(call.header("idempotency-key").to_owned())
            .or_default() += 1;
    }
    let attempts = "SELECT 'guardpost-' || id || ' ' || attempts FROM alarm_messages
        WHERE channel = 'call' AND named_by IS NULL";
    let attempts = rows(&desk.app, attempts).await;
    assert!(calls.len() >= attempts.len());
    for row in attempts {
        let (number, attempts) = row.split_once(' ').unwrap();
        let (received, attempts) = (calls[number], attempts.parse().unwrap());
        assert!((1..=attempts).contains(&received), "{number}: {received}");
    }
    let again = calls.values().map(|received| received - 1).sum::<usize>();
    assert!(
        again <= usize::try_from(KILLS).unwrap() * 3,
        "{again} calls again"
    );

    let attempts = "SELECT CAST(sum(attempts) AS TEXT) FROM alarm_messages WHERE channel = 'push'";
    let attempts: usize = rows(&desk.app, attempts).await[0].parse().unwrap();
    let pushes = desk.push.take().len();
    let sent = "SELECT channel FROM alarm_messages WHERE channel = 'push' AND named_by IS NULL";
    assert!((rows(&desk.app, sent).await.len()..=attempts).contains(&pushes));

    let told: BTreeSet<String> = target
        .take()
        .iter()
        .map(|it| it.header("webhook-id").to_owned())
        .collect();
    let messages = rows(
        &desk.app,
        "SELECT message FROM webhook_deliveries WHERE state = 'sent'",
    )
    .await;
    assert!(messages.iter().all(|message| told.contains(message)));
    // Each request is announced, and so is its alarm.
    let announced = 2 * desk.app.rows("quotes").await;
    assert_eq!(desk.app.rows("webhook_deliveries").await, announced);
}
