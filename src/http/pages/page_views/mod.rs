//! Counts views of pages and begun forms in memory, by day, page and source, without anything about
//! the visitor, and adds them to the database every few seconds and at the end. A process that is
//! killed loses those of the last seconds.

mod agent;
mod office;

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use jiff::civil::Date;
use parking_lot::Mutex;
use poem::http::{Method, StatusCode, header};

use self::agent::{Agent, agent_of};
use self::office::Office;
use super::page_map::PageMap;
use domain::clock::Clock;
use domain::clock::time_zone::TimeZone;
use domain::figures::source::{Source, host_of};
use store::Store;
use store::figures::views::Views;

/// How often views are stored.
const INTERVAL: Duration = Duration::from_secs(5);
/// The dashboard, which is a page of the map too.
const DESK: &str = "/admin";

/// The views that are not stored yet.
pub struct PageViews {
    days: Mutex<BTreeMap<Date, Views>>,
    office: Office,
    clock: Clock,
    zone: TimeZone,
}

impl PageViews {
    /// Counts by the days of `zone`.
    pub fn new(clock: Clock, zone: TimeZone) -> Self {
        Self {
            days: Mutex::default(),
            office: Office::default(),
            clock,
            zone,
        }
    }

    /// Counts the request if it was answered with a page. `address` is that of its client, which is
    /// read only if a person works at the desk.
    pub fn see<B>(
        &self,
        request: &hyper::Request<B>,
        status: StatusCode,
        pages: &PageMap,
        address: impl FnOnce() -> IpAddr,
    ) {
        let (path, headers) = (request.uri().path(), request.headers());
        let is_sent = status == StatusCode::OK || status == StatusCode::NOT_MODIFIED;
        let is_file = path.bytes().any(|byte| byte == b'.') || path.starts_with(DESK);
        if !is_sent || is_file || *request.method() != Method::GET || !pages.is_page(path) {
            return;
        }
        let (source, campaign) = match agent_of(headers) {
            Agent::Nobody => return,
            Agent::Robot => (Source::Robot, None),
            Agent::Browser if self.office.has(address, self.clock.now()) => (Source::Office, None),
            Agent::Browser => {
                let host = |name| headers.get(name)?.to_str().ok();
                let own = request.uri().host().or_else(|| host(header::HOST));
                let own = own
                    .and_then(|host| host.split(':').next())
                    .unwrap_or_default();
                let referrer = host(header::REFERER).and_then(host_of);
                Source::of_view(request.uri().query().unwrap_or_default(), referrer, own)
            }
        };
        let mut days = self.days.lock();
        let views = self.today(&mut days);
        count(&mut views.pages, path, |sources| {
            *sources.entry(source).or_default() += 1;
        });
        if let Some(campaign) = campaign {
            *views.campaigns.entry(campaign).or_default() += 1;
        }
    }

    /// Counts a form of `page` that the client at `address` has begun to fill in; not that of the
    /// office.
    pub fn begin_form(&self, page: &str, address: IpAddr) {
        let now = self.clock.now();
        if !self.office.has(|| address, now) {
            let mut days = self.days.lock();
            let views = self.today(&mut days);
            count(&mut views.forms, page, |forms| *forms += 1);
        }
    }

    /// Views from this address are those of the office, for a day.
    pub fn mark_office(&self, address: IpAddr) {
        self.office.mark(address, self.clock.now());
    }

    /// Stores the views; those that cannot be stored are kept for the next time.
    pub async fn flush(&self, store: &Store) {
        let days = std::mem::take(&mut *self.days.lock());
        if days.is_empty() {
            return;
        }
        if let Err(error) = store.add_views(days.values().cloned().collect()).await {
            tracing::warn!(%error, "views of pages could not be stored; it is tried again");
            let mut current = self.days.lock();
            for (day, views) in days {
                match current.get_mut(&day) {
                    Some(newer) => newer.add(views),
                    None => drop(current.insert(day, views)),
                }
            }
        }
    }

    /// The views of the current day.
    fn today<'a>(&self, days: &'a mut BTreeMap<Date, Views>) -> &'a mut Views {
        let day = self.zone.local(self.clock.now()).date();
        days.entry(day).or_insert_with(|| Views {
            day: day.to_string(),
            ..Views::default()
        })
    }

    /// Stores views at intervals until it is dropped.
    pub async fn run(self: Arc<Self>, store: Store) {
        loop {
            tokio::time::sleep(INTERVAL).await;
            self.flush(&store).await;
        }
    }
}

/// Changes the entry of `key`, which is copied only if it is new.
fn count<T: Default>(
    map: &mut std::collections::HashMap<String, T>,
    key: &str,
    change: impl FnOnce(&mut T),
) {
    match map.get_mut(key) {
        Some(entry) => change(entry),
        None => change(map.entry(key.to_owned()).or_default()),
    }
}
