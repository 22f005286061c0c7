//! Views of pages, added to their counts in batches.

use std::collections::HashMap;

use rusqlite::{Connection, params};

use crate::{Result, Store};
use domain::figures::source::Source;

/// Campaigns counted per day: their names are chosen by visitors.
const MAX_CAMPAIGNS_PER_DAY: u32 = 200;

/// The views of one day that are not stored yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Views {
    /// `YYYY-MM-DD`.
    pub day: String,
    /// By page and source.
    pub pages: HashMap<String, HashMap<Source, i64>>,
    /// By the name of the campaign.
    pub campaigns: HashMap<String, i64>,
    /// Forms that were begun, by page.
    pub forms: HashMap<String, i64>,
}

impl Views {
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty() && self.campaigns.is_empty() && self.forms.is_empty()
    }

    /// Adds other views of the same day.
    pub fn add(&mut self, other: Self) {
        for (page, sources) in other.pages {
            let own = self.pages.entry(page).or_default();
            for (source, views) in sources {
                *own.entry(source).or_default() += views;
            }
        }
        for (own, others) in [
            (&mut self.campaigns, other.campaigns),
            (&mut self.forms, other.forms),
        ] {
            for (name, number) in others {
                *own.entry(name).or_default() += number;
            }
        }
    }
}

impl Store {
    /// Adds views to the counts of their days.
    pub async fn add_views(&self, batch: Vec<Views>) -> Result<()> {
        self.write(move |conn| batch.iter().try_for_each(|views| add(conn, views)))
            .await
    }
}

fn add(conn: &Connection, views: &Views) -> Result<()> {
    let mut page = conn.prepare_cached(
        "INSERT INTO page_views (day, page, source, views) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT DO UPDATE SET views = views + excluded.views",
    )?;
    for (path, sources) in &views.pages {
        for (source, number) in sources {
            page.execute(params![views.day, path, source.as_str(), number])?;
        }
    }
    let mut campaign = conn.prepare_cached(
        "INSERT INTO campaign_views (day, campaign, views) SELECT ?1, ?2, ?3
           WHERE (SELECT count(*) FROM campaign_views WHERE day = ?1) < ?4
             OR EXISTS (SELECT 1 FROM campaign_views WHERE day = ?1 AND campaign = ?2)
         ON CONFLICT DO UPDATE SET views = views + excluded.views",
    )?;
    for (name, number) in &views.campaigns {
        campaign.execute(params![views.day, name, number, MAX_CAMPAIGNS_PER_DAY])?;
    }
    let mut form = conn.prepare_cached(
        "INSERT INTO forms_begun (day, page, begun) VALUES (?1, ?2, ?3)
         ON CONFLICT DO UPDATE SET begun = begun + excluded.begun",
    )?;
    for (path, number) in &views.forms {
        form.execute(params![views.day, path, number])?;
    }
    Ok(())
}
