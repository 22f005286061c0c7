//! Messages that wait although no clock counts them: their author could not be verified. Being read
//! is no answer: they wait until the request is answered or closed, or a person sets them aside.

use std::collections::{HashMap, HashSet};
use std::iter;

use rusqlite::{Connection, params};
use serde_json::Value;

use super::changes::writes::set;
use super::{events, requests};
use crate::{Result, query};
use domain::clock::Time;
use domain::request::Request;
use domain::request::event::{Event, in_effect};
use domain::request::quote::Status;

/// Whether a message of a request waits for an answer, counted or not.
pub(super) fn has_message(conn: &Connection, request: &Request) -> Result<bool> {
    Ok(waits(&history(conn, request)?, |_| true))
}

/// Whether a request changes when a person opens it: something was not opened yet, or nothing
/// waits.
pub(crate) fn changes_when_opened(conn: &Connection, request: &Request) -> Result<bool> {
    let history = history(conn, request)?;
    Ok(history.iter().any(is_unopened) || !waits(&history, is_uncounted))
}

/// Marks the messages of a request and its duplicates as opened by a user.
pub(crate) fn mark_opened(
    conn: &Connection,
    request: &Request,
    reader: &str,
    now: Time,
) -> Result<()> {
    for seq in requests::family(conn, request.seq)? {
        let sql = "UPDATE events SET detail = json_set(detail, '$.read_at', ?2, '$.read_by', ?3)
            WHERE seq = ?1 AND detail ->> 'read_at' IS NULL
              AND (verb IN ('wrote', 'settled') OR verb = 'offer_accepted' AND actor IS NULL)";
        query::execute(conn, sql, params![seq, now.to_string(), reader])?;
    }
    Ok(())
}

/// Marks a request as read if all of it was opened and nothing waits.
pub(crate) fn settle(conn: &Connection, request: &Request) -> Result<()> {
    let history = history(conn, request)?;
    let is_read = !history.iter().any(is_unopened) && !waits(&history, is_uncounted);
    match is_read {
        true => set(conn, request, "unread", Some("0")),
        false => Ok(()),
    }
}

/// Marks a request as unread whose answer was undone.
pub(super) fn wait_again(conn: &Connection, request: &Request) -> Result<()> {
    match waits(&history(conn, request)?, is_uncounted) {
        true => set(conn, request, "unread", Some("1")),
        false => Ok(()),
    }
}

/// The oldest counted message of a request or its duplicates that no answer has ended. What answers
/// a request answers its duplicates from their merge on, and nothing that was asked before it.
pub(super) fn oldest_message(conn: &Connection, request: &Request) -> Result<Option<i64>> {
    let history = history(conn, request)?;
    let duplicates = requests::duplicates(conn, request.seq)?;
    let parents = duplicates
        .iter()
        .filter_map(|it| Some((it.seq, it.merged_into?)));
    let parents: HashMap<_, _> = parents.collect();
    let mut merged = HashSet::new();
    let mut waiting: Vec<&Event> = Vec::new();
    for event in in_effect(&history) {
        match event.verb.as_str() {
            "merged_into" => drop(merged.insert(event.seq)),
            "separated_from" => drop(merged.remove(&event.seq)),
            "wrote" if is_counted(event) => waiting.push(event),
            _ if is_end(event) => {
                let is_answered = |message: &&Event| {
                    let parent =
                        |seq: &i64| parents.get(seq).copied().filter(|_| merged.contains(seq));
                    iter::successors(Some(message.seq), parent).any(|seq| seq == event.seq)
                };
                waiting.retain(|message| !is_answered(message));
            }
            _ => {}
        }
    }
    Ok(waiting.first().map(|message| message.id))
}

/// The events of a request and its duplicates, oldest first.
fn history(conn: &Connection, request: &Request) -> Result<Vec<Event>> {
    let mut history = Vec::new();
    for seq in requests::family(conn, request.seq)? {
        history.extend(events::of_request(conn, seq)?);
    }
    history.sort_by_key(|event| event.id);
    Ok(history)
}

/// Whether a message that is `asked` for came after the last answer.
fn waits(history: &[Event], asked: impl Fn(&Event) -> bool) -> bool {
    let is_message = |event: &Event| event.verb == "wrote" && asked(event);
    let effective = in_effect(history);
    let last = effective.iter().rfind(|it| is_end(it) || is_message(it));
    last.is_some_and(|event| is_message(event))
}

/// Whether no clock counts a message, and its author is not just away.
fn is_uncounted(message: &Event) -> bool {
    let marks = message.detail.get("marks").and_then(Value::as_array);
    let is_away = marks.is_some_and(|marks| marks.iter().any(|mark| mark == "away"));
    !is_counted(message) && !is_away
}

/// Whether the clock of the next answer counts a message.
fn is_counted(message: &Event) -> bool {
    message.detail.get("counts") == Some(&Value::Bool(true))
}

/// Whether nothing that was written before an event waits.
fn is_end(event: &Event) -> bool {
    let text = |key: &str| event.detail.get(key).and_then(Value::as_str);
    match event.verb.as_str() {
        "replied" | "offer_sent" => text("state") == Some("delivered"),
        "called" => text("outcome") == Some("reached"),
        "moved" => {
            let to = text("to").and_then(Status::parse);
            event.actor.is_some() && to.is_some_and(|status| !status.is_open())
        }
        verb => ["settled", "set_aside"].contains(&verb),
    }
}

/// Whether an event is for an admin to open, and none has.
fn is_unopened(event: &Event) -> bool {
    let lacks = |key: &str| event.detail.get(key).is_none_or(Value::is_null);
    match event.verb.as_str() {
        "wrote" | "settled" => lacks("read_at"),
        "offer_accepted" => event.actor.is_none() && lacks("read_at") && lacks("confirmed"),
        _ => false,
    }
}
