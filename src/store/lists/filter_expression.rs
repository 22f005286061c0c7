//! The query of the search index that finds the requests of a filter.

use super::filter::{Assignee, FollowUps, Outcomes, RequestFilter};
use crate::domain::request::RequestKind;
use crate::domain::request::quote::Status;
use crate::store::search::properties::{
    ANSWERED, ASSIGNED, EMERGENCY, FOLLOW_UP_DUE, HELD, MERGED, MESSAGE, OUTCOME, UNREAD, WAITING,
    WRITTEN, assignee_word, attention_word, follow_up_word, outcome_word, service_word,
    state_status_word, state_word, status_word,
};

/// The words of a search.
#[derive(Clone, Copy, Default)]
pub(in crate::store) struct SearchWords<'a> {
    /// All but the last, as whole words.
    pub whole: &'a [String],
    /// The FTS5 condition of the last one.
    pub condition: Option<&'a str>,
}

impl RequestFilter {
    /// The FTS5 query of the requests that pass the filter and contain all words: each of `whole`,
    /// and `condition`. Conditions on the time are not in it (`range`, `overdue`).
    pub(in crate::store) fn expression(&self, whole: &[String], condition: Option<&str>) -> String {
        let word = |status: &Status| match self.state {
            Some(state) => state_status_word(state, *status),
            None => status_word(*status).to_owned(),
        };
        let any = |statuses: &[Status]| {
            let words: Vec<_> = statuses.iter().map(word).collect();
            format!("({})", words.join(" OR "))
        };
        let is_open = self.overdue == Some(true) || self.open == Some(true);
        let has_status = is_open || !self.statuses.is_empty();
        let mut all = Vec::new();
        if !self.statuses.is_empty() {
            all.push(any(&self.statuses));
        }
        if is_open {
            all.push(any(&[Status::Pending, Status::InProgress]));
        }
        if self.open == Some(false) || self.outcome == Some(Outcomes::Unknown) {
            all.push(any(&[Status::Completed, Status::Cancelled]));
        }
        match &self.follow_up {
            Some(FollowUps::Waiting) => all.push(WAITING.to_owned()),
            Some(FollowUps::Due | FollowUps::DueOfOthers(_)) => all.push(FOLLOW_UP_DUE.to_owned()),
            Some(FollowUps::DueOf(user)) => all.push(follow_up_word(user)),
            Some(FollowUps::NotDue) | None => {}
        }
        if let Some(Outcomes::Known(outcome)) = self.outcome {
            all.push(outcome_word(outcome).to_owned());
        }
        if let Some(Assignee::User(id)) = &self.assignee {
            all.push(assignee_word(id));
        }
        // A word of a status implies the state as well.
        all.extend(self.state.filter(|_| !has_status).map(state_word));
        all.extend(self.service.as_deref().map(service_word));
        let attention = match self.emergency {
            Some(emergency) => attention_word(emergency).to_owned(),
            None => format!("({} OR {})", attention_word(true), attention_word(false)),
        };
        // The words of requests that need attention say as well whether they ask for a call.
        let emergency = self.emergency.filter(|_| self.attention != Some(true));
        let flags = [
            (self.kind == Some(RequestKind::Message), MESSAGE),
            (self.attention == Some(true), attention.as_str()),
            (emergency == Some(true), EMERGENCY),
            (self.answered == Some(true), ANSWERED),
            (self.written == Some(true), WRITTEN),
            (self.unread == Some(true), UNREAD),
            (self.held, HELD),
        ];
        let flags = flags.into_iter().filter(|(is_set, _)| *is_set);
        all.extend(flags.map(|(_, word)| word.to_owned()));
        all.extend(words_expression(whole, condition));
        if all.is_empty() {
            all.push(any(&Status::ALL));
        }
        let not_of = match &self.follow_up {
            Some(FollowUps::DueOfOthers(user)) => follow_up_word(user),
            _ => String::new(),
        };
        let excluded = [
            (!not_of.is_empty(), not_of.as_str()),
            (self.follow_up == Some(FollowUps::NotDue), FOLLOW_UP_DUE),
            (self.outcome == Some(Outcomes::Unknown), OUTCOME),
            (self.kind == Some(RequestKind::Quote), MESSAGE),
            (emergency == Some(false), EMERGENCY),
            (!self.held, HELD),
            (self.held, MERGED),
            (self.assignee == Some(Assignee::Nobody), ASSIGNED),
            (self.overdue == Some(true), &answered()),
            (self.written == Some(false), WRITTEN),
            (self.unread == Some(false), UNREAD),
            (self.answered == Some(false), ANSWERED),
            (self.attention == Some(false), &attention),
        ];
        let excluded = excluded.into_iter().filter(|(is_set, _)| *is_set);
        let excluded = excluded.map(|(_, word)| format!(" NOT {word}"));
        format!("({}){}", all.join(" AND "), excluded.collect::<String>())
    }
}

/// The FTS5 conditions of all words: each of `whole`, and `condition`.
pub(in crate::store) fn words_expression(whole: &[String], condition: Option<&str>) -> Vec<String> {
    let whole = whole.iter().map(|word| format!("\"{word}\""));
    whole.chain(condition.map(str::to_owned)).collect()
}

/// The FTS5 query of the requests whose customer waits for no answer.
fn answered() -> String {
    format!("({ANSWERED} NOT {WRITTEN})")
}
