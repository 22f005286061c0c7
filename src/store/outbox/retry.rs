//! Retries on demand: makes failed, waiting and held emails due.

use rusqlite::{Connection, named_params};

use crate::database::row::column;
use crate::request::emails;
use crate::{Error, Result, Store, conflict, query};
use domain::clock::Time;
use domain::delivery::DeliveryState;
use domain::request::event::EmailState;

/// Makes a row due at `:now`, as if it had never been tried.
const DUE_AGAIN: &str = "state = 'due', due_at = :now, attempts = 0, tried_since = NULL,
    late = 0";

impl Store {
    /// Makes a held email due; all held ones if `id` is `None`. Returns how many. Errors: `Missing`
    /// if the id is not that of a held email.
    pub async fn release_emails(&self, id: Option<i64>, now: Time) -> Result<usize> {
        self.write(move |conn| {
            let release = format!(
                "UPDATE outbox SET {DUE_AGAIN}, held_at = NULL
                 WHERE state = 'failed' AND held_at IS NOT NULL AND (:id IS NULL OR id = :id)"
            );
            let released = conn.execute(
                &release,
                named_params! { ":id": id, ":now": now.to_string() },
            )?;
            if id.is_some() && released == 0 {
                return Err(Error::Missing);
            }
            Ok(released)
        })
        .await
    }

    /// Makes a failed email of a request due immediately, with its number of attempts reset.
    /// Errors: `Missing` for an unknown id, or for an email that belongs to no request; `Conflict`
    /// if it has not failed.
    pub async fn retry_request_email(&self, id: i64, now: Time) -> Result<()> {
        self.write(move |conn| {
            let find =
                "SELECT state FROM outbox WHERE id = ?1 AND event IS NOT NULL AND held_at IS NULL";
            let state: DeliveryState = conn.query_row(find, [id], |row| column(row, "state"))?;
            if state != DeliveryState::Failed {
                return conflict("Only an email that failed can be sent again.");
            }
            retry(conn, id, now)
        })
        .await
    }

    /// Makes one failed or due email due immediately, with its number of attempts reset. Errors:
    /// `Missing` for an unknown id; `Conflict` when the email was sent or its secret has expired.
    pub async fn retry_email(&self, id: i64, now: Time) -> Result<()> {
        self.write(move |conn| {
            let (state, expired, held): (_, bool, bool) = conn.query_row(
                "SELECT state, notice = '', held_at IS NOT NULL FROM outbox WHERE id = ?1",
                [id],
                |row| {
                    let state: DeliveryState = column(row, "state")?;
                    Ok((state, row.get(1)?, row.get(2)?))
                },
            )?;
            if held {
                return conflict(
                    "this email is held, because it may have been sent before the restore: \
                     `outbox release`",
                );
            }
            if state == DeliveryState::Sent {
                return conflict("this email was sent already");
            }
            if expired {
                return Err(Error::Conflict(
                    "the code and link of this email no longer work; request a new email".into(),
                ));
            }
            retry(conn, id, now)
        })
        .await
    }

    /// Makes every email due that waits for another attempt: the mail server takes emails again.
    pub async fn wake_waiting_emails(&self, now: Time) -> Result<()> {
        self.write(move |conn| {
            let sql = "UPDATE outbox SET due_at = ?1
                WHERE state = 'due' AND attempts > 0 AND due_at > ?1";
            query::run(conn, sql, [now.to_string()])
        })
        .await
    }

    /// Makes every email that failed or waits for a retry due immediately, unless its secret has
    /// expired; returns how many.
    pub async fn retry_all_emails(&self, now: Time) -> Result<usize> {
        self.write(move |conn| {
            let retry = format!(
                "UPDATE outbox SET {DUE_AGAIN}
                 WHERE notice <> '' AND held_at IS NULL AND (state = 'failed' OR (state = 'due'
                 AND due_at > :now AND attempts > 0)) RETURNING event"
            );
            let now = named_params! { ":now": now.to_string() };
            let events: Vec<Option<i64>> = query::all(conn, &retry, now, |row| row.get(0))?;
            for event in &events {
                emails::set_state(conn, *event, EmailState::Queued, None)?;
            }
            Ok(events.len())
        })
        .await
    }
}

fn retry(conn: &Connection, id: i64, now: Time) -> Result<()> {
    let retry = format!("UPDATE outbox SET {DUE_AGAIN} WHERE id = :id RETURNING event");
    let event = conn.query_row(
        &retry,
        named_params! { ":id": id, ":now": now.to_string() },
        |row| row.get(0),
    )?;
    emails::set_state(conn, event, EmailState::Queued, None)
}
