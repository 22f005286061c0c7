//! Views of pages and begun forms of the year.

use std::collections::HashMap;

use anyhow::Result;
use jiff::civil::Date;

use super::customers::campaign;
use super::plan::{DAYS, busy_percent, day, month_of};
use super::random::Random;
use super::words::Words;
use domain::figures::source::Source;
use store::figures::views::Views;

/// Views of visitors on an average day.
const VIEWS: i64 = 210;
/// Views of an average month in the seed.
const AVERAGE_MONTH: i64 = 110;
/// Views by where they come from, in percent of those of visitors.
const PROGRAMS: i64 = 38;
const OFFICE: i64 = 3;

/// The views of each day.
pub(super) fn visits(words: &Words, random: &mut Random, today: Date) -> Result<Vec<Views>> {
    let days = (0..=DAYS).map(|number| {
        let day = day(today, number);
        views_of(words, random, day, busy_percent(day, number))
    });
    days.collect()
}

fn views_of(words: &Words, random: &mut Random, day: Date, busy: i64) -> Result<Views> {
    let services = words.services.iter();
    let of_month: i64 = services.map(|service| service.months[month_of(day)]).sum();
    let visitors = VIEWS * busy * of_month / AVERAGE_MONTH / 100;
    let visitors = visitors * random.between(85, 115) / 100;
    let mut views = Views {
        day: day.to_string(),
        ..Views::default()
    };
    for _ in 0..visitors {
        let page = &random.weighted(&words.pages, |page| page.share)?.path;
        let source = if random.chance(26) {
            let campaign = campaign(words, random, day)?;
            *views.campaigns.entry(campaign.name.clone()).or_default() += 1;
            if campaign.medium == "cpc" {
                Source::Ad
            } else {
                Source::Email
            }
        } else if random.chance(30) {
            Source::Own
        } else {
            source_of(&random.weighted(&words.referrers, |it| it.share)?.host)
        };
        add(&mut views.pages, page, source);
        if ["/quote", "/contact"].contains(&page.as_str()) && random.chance(16) {
            *views.forms.entry(page.clone()).or_default() += 1;
        }
    }
    for (percent, source) in [(PROGRAMS, Source::Robot), (OFFICE, Source::Office)] {
        for _ in 0..visitors * percent / 100 {
            let page = &random.weighted(&words.pages, |page| page.share)?.path;
            add(&mut views.pages, page, source);
        }
    }
    Ok(views)
}

fn add(pages: &mut HashMap<String, HashMap<Source, i64>>, page: &str, source: Source) {
    let sources = pages.entry(page.to_owned()).or_default();
    *sources.entry(source).or_default() += 1;
}

/// The source of a view that this host linked to.
fn source_of(host: &str) -> Source {
    let host = Some(host).filter(|host| !host.is_empty());
    Source::of_view("", host, "own").0
}
