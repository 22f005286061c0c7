//! The open streams: at most eight per account, each with the token that opened it, and which
//! admins have a request open. All of it is in memory and ends with the streams; tabs renew their
//! presence, so that a crashed tab is dropped.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::watch;

use auth::TokenHolder;
use domain::clock::Time;
use domain::live::{End, LiveEvent, Presence, Viewer};
use store::live::feed::LiveFeed;

/// Maximum number of streams of one account.
pub const MAX_PER_ACCOUNT: usize = 8;
/// Maximum number of tabs of one session with an open request.
const MAX_TABS: usize = 16;
/// Lifetime of a presence that is not renewed: twice the interval of
/// `frontend/src/admin/live/live-provider.tsx`, which browsers stretch to a minute in hidden tabs,
/// plus a margin.
const PRESENCE_MILLIS: i64 = 150_000;

/// The open streams.
pub struct Streams {
    feed: LiveFeed,
    open: Mutex<Open>,
    shutdown: watch::Sender<bool>,
}

#[derive(Default)]
struct Open {
    last: u64,
    streams: BTreeMap<u64, Stream>,
    /// The open request of each tab of a session.
    presence: BTreeMap<Tab, OpenRequest>,
}

/// A tab of a browser.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub struct Tab {
    /// The id of its session.
    pub session: String,
    /// The name that the tab has given itself.
    pub name: String,
}

struct OpenRequest {
    person: Viewer,
    request: String,
    /// Last renewal.
    said_at: Time,
}

struct Stream {
    holder: Arc<TokenHolder>,
    end: watch::Sender<Option<End>>,
}

/// An open stream. Dropping it closes the stream.
pub struct StreamHandle {
    streams: Arc<Streams>,
    id: u64,
    end: watch::Receiver<Option<End>>,
}

impl StreamHandle {
    /// Waits until the stream has to end.
    pub async fn ended(&mut self) -> End {
        let ended = self.end.wait_for(Option::is_some).await;
        ended.ok().and_then(|end| *end).unwrap_or(End::Shutdown)
    }
}

impl Drop for StreamHandle {
    fn drop(&mut self) {
        self.streams.close(self.id);
    }
}

impl Streams {
    /// No streams yet; presence is published in `feed`.
    pub fn new(feed: LiveFeed) -> Arc<Self> {
        Arc::new(Self {
            feed,
            open: Mutex::default(),
            shutdown: watch::Sender::new(false),
        })
    }

    /// Opens a stream; `None` if the account has the maximum number.
    pub fn open(self: &Arc<Self>, holder: TokenHolder) -> Option<StreamHandle> {
        let mut open = self.open.lock();
        let own = |stream: &&Stream| stream.holder.user_id == holder.user_id;
        if open.streams.values().filter(own).count() >= MAX_PER_ACCOUNT {
            return None;
        }
        let ended = self.shutdown.borrow().then_some(End::Shutdown);
        let (end, receiver) = watch::channel(ended);
        open.last += 1;
        let id = open.last;
        let holder = Arc::new(holder);
        open.streams.insert(id, Stream { holder, end });
        Some(StreamHandle {
            streams: self.clone(),
            id,
            end: receiver,
        })
    }

    /// Ends all streams and refuses new ones.
    pub fn shut_down(&self) {
        let open = self.open.lock();
        self.shutdown.send_replace(true);
        for stream in open.streams.values() {
            stream.end.send_replace(Some(End::Shutdown));
        }
    }

    /// Completes at `shut_down`.
    pub async fn shutting_down(&self) {
        // The sender is in `self`.
        let _ = self.shutdown.subscribe().wait_for(|stop| *stop).await;
    }

    /// Ends the streams whose token has expired at `now`, and the presence of tabs that have not
    /// renewed it.
    pub fn end_expired(&self, now: Time) {
        let mut open = self.open.lock();
        let expired = open.streams.values();
        for stream in expired.filter(|stream| stream.holder.expires_at <= now) {
            stream.end.send_replace(Some(End::Token));
        }
        let since = now.plus_millis(-PRESENCE_MILLIS);
        self.end_presence(&mut open, |_, tab| tab.said_at < since);
    }

    /// The holders of the tokens that opened the streams, each once.
    pub fn holders(&self) -> Vec<Arc<TokenHolder>> {
        let open = self.open.lock();
        let sessions = open.streams.values().map(|stream| {
            let holder = &stream.holder;
            ((&holder.session_id, holder.aal), holder)
        });
        let sessions: HashMap<_, _> = sessions.collect();
        sessions.into_values().cloned().collect()
    }

    /// Ends the streams of these holders.
    pub fn end_sessions(&self, ended: &[Arc<TokenHolder>]) {
        let open = self.open.lock();
        let is_ended = |stream: &&Stream| {
            let found = |holder: &Arc<TokenHolder>| {
                holder.session_id == stream.holder.session_id && holder.aal == stream.holder.aal
            };
            ended.iter().any(found)
        };
        for stream in open.streams.values().filter(is_ended) {
            stream.end.send_replace(Some(End::Session));
        }
    }

    /// Records that the holder of a session has `request` open in a tab, or none. Returns false if
    /// the session has no stream, with which its presence would end.
    pub fn set_presence(
        &self,
        tab: Tab,
        person: Viewer,
        request: Option<String>,
        now: Time,
    ) -> bool {
        let mut open = self.open.lock();
        let mut streams = open.streams.values();
        if !streams.any(|stream| stream.holder.session_id == tab.session) {
            return false;
        }
        let before = open.presence.remove(&tab);
        let was_replying = before.as_ref().is_some_and(|tab| tab.person.replying);
        let is_replying = person.replying;
        let before = before.map(|tab| tab.request);
        let tabs = open.presence.keys();
        let tabs = tabs.filter(|other| other.session == tab.session);
        let request = request.filter(|_| tabs.count() < MAX_TABS);
        if let Some(request) = &request {
            let (request, said_at) = (request.clone(), now);
            let open_request = OpenRequest {
                person,
                request,
                said_at,
            };
            open.presence.insert(tab, open_request);
        }
        if before != request {
            self.publish_presence(&open, before.into_iter().chain(request));
        } else if was_replying != is_replying {
            self.publish_presence(&open, request.into_iter());
        }
        true
    }

    /// The admins who have a request open, for a client that has just connected.
    pub fn presence(&self) -> Vec<LiveEvent> {
        let open = self.open.lock();
        let requests: BTreeSet<_> = open.presence.values().map(|tab| &tab.request).collect();
        let events = requests.into_iter();
        events
            .map(|request| open.presence_of(request.clone()))
            .collect()
    }

    fn close(&self, id: u64) {
        let mut open = self.open.lock();
        let Some(closed) = open.streams.remove(&id) else {
            return;
        };
        let session = &closed.holder.session_id;
        let mut others = open.streams.values();
        if others.any(|stream| stream.holder.session_id == *session) {
            return;
        }
        self.end_presence(&mut open, |other, _| other == session);
    }

    /// Drops the tabs for which `is_over` returns true, given their session.
    fn end_presence(&self, open: &mut Open, is_over: impl Fn(&str, &OpenRequest) -> bool) {
        let ended = |tab: &Tab, request: &mut OpenRequest| is_over(&tab.session, request);
        let tabs = open.presence.extract_if(.., ended);
        let requests: BTreeSet<_> = tabs.map(|(_, tab)| tab.request).collect();
        if !requests.is_empty() {
            self.publish_presence(open, requests.into_iter());
        }
    }

    fn publish_presence(&self, open: &Open, requests: impl Iterator<Item = String>) {
        let events: Vec<_> = requests.map(|request| open.presence_of(request)).collect();
        self.feed.publish(&events);
    }
}

impl Open {
    fn presence_of(&self, request: String) -> LiveEvent {
        let tabs = self.presence.values().filter(|tab| tab.request == request);
        let mut people: BTreeMap<&str, Viewer> = BTreeMap::new();
        for OpenRequest { person, .. } in tabs {
            let shown = people.entry(&person.id).or_insert_with(|| person.clone());
            shown.replying |= person.replying;
        }
        let people = people.into_values().collect();
        LiveEvent::Presence(Presence { request, people })
    }
}
