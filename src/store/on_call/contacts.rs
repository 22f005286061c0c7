//! How people are reached: phone numbers and the browsers that take pushes.

use poem_openapi::Object;
use rusqlite::{Connection, params};

use crate::accounts::roles;
use crate::database::row::read_row;
use crate::{Result, Store, conflict, query};
use domain::clock::Time;

/// Browsers of one person.
const MAX_DEVICES: i64 = 20;

/// A browser that takes pushes.
#[derive(Clone, Debug, PartialEq, Eq, Object)]
#[oai(rename = "PushDeviceItem")]
pub struct PushDevice {
    pub id: i64,
    /// The host of its push service.
    pub service: String,
    #[oai(skip)]
    pub subscription: PushSubscription,
    pub created_at: Time,
    /// When it last subscribed.
    pub seen_at: Time,
}

/// Where a browser takes pushes, and how they are encrypted for it (RFC 8291).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PushSubscription {
    /// The address at its push service.
    pub endpoint: String,
    /// The browser's public key, base64url.
    pub p256dh: String,
    /// Its secret, base64url.
    pub auth: String,
}

/// A person who can be notified.
#[derive(Clone, Debug)]
pub struct Reach {
    pub user_id: String,
    pub email: Option<String>,
    /// The display name.
    pub name: Option<String>,
    pub phone: Option<String>,
    /// The ids of browsers.
    pub devices: Vec<i64>,
}

impl Store {
    /// Sets the number of a person, or forgets it.
    pub async fn set_phone(&self, user_id: String, phone: Option<String>) -> Result<()> {
        self.write(move |conn| {
            match &phone {
                Some(phone) => conn.execute(
                    "INSERT OR REPLACE INTO on_call_phones (user_id, phone) VALUES (?1, ?2)",
                    [&user_id, phone],
                )?,
                None => conn.execute("DELETE FROM on_call_phones WHERE user_id = ?1", [user_id])?,
            };
            Ok(())
        })
        .await
    }

    /// The browsers of a person, the newest first.
    pub async fn push_devices(&self, user_id: String) -> Result<Vec<PushDevice>> {
        self.read(move |conn| devices(conn, &user_id)).await
    }

    /// Subscribes a browser, in place of an earlier subscription of any person. Errors:
    /// `Conflict` if the person has too many.
    pub async fn subscribe(&self, user_id: String, new: PushSubscription, now: Time) -> Result<()> {
        self.write(move |conn| {
            let at = now.to_string();
            let sql =
                "INSERT INTO push_devices (user_id, endpoint, p256dh, auth, created_at, seen_at)
                VALUES (?1, ?2, ?3, ?4, ?5, ?5)
                ON CONFLICT (endpoint) DO UPDATE SET user_id = ?1, p256dh = ?3, auth = ?4,
                  seen_at = ?5";
            let values = params![user_id, new.endpoint, new.p256dh, new.auth, at];
            query::execute(conn, sql, values)?;
            let count = "SELECT count(*) FROM push_devices WHERE user_id = ?1";
            let count: i64 = conn.query_row(count, [&user_id], |row| row.get(0))?;
            if count > MAX_DEVICES {
                return conflict("There are too many devices: remove one that you no longer use.");
            }
            Ok(())
        })
        .await
    }

    /// Removes a browser of a person, by its id or its endpoint.
    pub async fn unsubscribe(&self, user_id: String, device: String) -> Result<()> {
        self.write(move |conn| {
            let sql = "DELETE FROM push_devices WHERE user_id = ?1 AND (endpoint = ?2 OR id = ?2)";
            query::run(conn, sql, [user_id, device])
        })
        .await
    }

    /// Deletes a browser that its push service no longer has.
    pub async fn drop_device(&self, id: i64) -> Result<()> {
        self.write(move |conn| query::run(conn, "DELETE FROM push_devices WHERE id = ?1", [id]))
            .await
    }

    /// How each person who may be on call is reached.
    pub async fn reachable(&self, now: Time) -> Result<Vec<Reach>> {
        self.read(move |conn| reach(conn, now)).await
    }
}

/// Whether a person is on the rota or can be notified: otherwise no alarm is raised.
pub(crate) fn is_configured(conn: &Connection) -> Result<bool> {
    let any = "SELECT 1 WHERE EXISTS (SELECT 1 FROM rota_shifts)
        OR EXISTS (SELECT 1 FROM push_devices) OR EXISTS (SELECT 1 FROM on_call_phones)
        OR EXISTS (SELECT 1 FROM rota_overrides)";
    query::exists(conn, any, [])
}

/// Errors: `Conflict` unless the person is active and has a role.
pub(crate) fn require_staff(conn: &Connection, person: &str, now: Time) -> Result<()> {
    match roles::active(conn, person, now)? {
        Some(_) => Ok(()),
        None => conflict("One of the people can no longer sign in here: choose another person."),
    }
}

/// How each person who may be on call is reached.
pub(crate) fn reach(conn: &Connection, now: Time) -> Result<Vec<Reach>> {
    let people = roles::people(conn, now)?.into_iter();
    people
        .map(|member| {
            let devices = devices(conn, &member.id)?;
            Ok(Reach {
                phone: phone(conn, &member.id)?,
                devices: devices.iter().map(|it| it.id).collect(),
                user_id: member.id,
                email: member.email,
                name: member.name,
            })
        })
        .collect()
}

pub(crate) fn phone(conn: &Connection, user_id: &str) -> Result<Option<String>> {
    let sql = "SELECT phone FROM on_call_phones WHERE user_id = ?1";
    query::optional(conn, sql, [user_id], |row| row.get(0))
}

fn devices(conn: &Connection, user_id: &str) -> Result<Vec<PushDevice>> {
    let sql = "SELECT id, endpoint, p256dh, auth, created_at, seen_at FROM push_devices
        WHERE user_id = ?1 ORDER BY id DESC";
    query::all(conn, sql, [user_id], read_device)
}

/// One browser; `None` if it was removed.
pub(crate) fn device(conn: &Connection, id: i64) -> Result<Option<PushDevice>> {
    let sql =
        "SELECT id, endpoint, p256dh, auth, created_at, seen_at FROM push_devices WHERE id = ?1";
    query::optional(conn, sql, [id], read_device)
}

fn read_device(row: &rusqlite::Row<'_>) -> rusqlite::Result<PushDevice> {
    let subscription = read_row!(row => PushSubscription { endpoint, p256dh, auth })?;
    let host = subscription.endpoint.split('/').nth(2);
    let service = host.unwrap_or_default().to_owned();
    read_row!(row => PushDevice {
        id, created_at, seen_at;
        service,
        subscription,
    })
}
