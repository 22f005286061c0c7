//! The rate card: what an hour, a visit or a seat costs, and what is added to it.

use std::collections::BTreeMap;

use jiff::civil::Date;
use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};

use super::calendar::{TimeOfDay, Weekday};

/// What an hour, a visit or a seat costs, and what is added to it.
#[derive(Clone, Debug, PartialEq, Object, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RateCard {
    /// By key, such as `fire-watch`.
    pub classes: BTreeMap<String, Class>,
    /// Rates that differ in a state or a city.
    pub overrides: Vec<Override>,
    pub night: Night,
    /// Added on Saturdays and Sundays, in basis points of the rate.
    pub weekend_basis_points: i64,
    /// Added on holidays, in place of the weekend's.
    pub holiday_basis_points: i64,
    pub holidays: Vec<Holiday>,
    pub short_notice: ShortNotice,
    pub supervisor: Supervisor,
    pub overtime: Overtime,
    /// Added for each officer and shift, in cents.
    pub travel_cents: i64,
    /// By key.
    pub equipment: BTreeMap<String, Equipment>,
    /// How long one officer works where a post is staffed around the clock, in minutes.
    pub relief_minutes: i64,
    /// Added parts of a rate are rounded half up to this many cents.
    pub round_to_cents: i64,
    /// By code of the state.
    pub taxes: BTreeMap<String, Tax>,
}

/// Officers of a kind, and what they cost.
#[derive(Clone, Debug, PartialEq, Object, Deserialize, Serialize)]
#[oai(rename = "OfficerClass")]
#[serde(deny_unknown_fields)]
pub struct Class {
    pub title: String,
    pub unit: RateUnit,
    /// For each unit.
    pub rate_cents: i64,
    /// The shortest shift that is charged, in minutes.
    pub minimum_minutes: i64,
}

/// What a rate is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Deserialize, Serialize)]
#[oai(rename_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub enum RateUnit {
    Hour,
    Visit,
    /// A watched camera seat for a day.
    Seat,
}

/// A rate that differs in a state or a city.
#[derive(Clone, Debug, PartialEq, Object, Deserialize, Serialize)]
#[oai(rename = "RateOverride")]
#[serde(deny_unknown_fields)]
pub struct Override {
    pub class: String,
    pub state: String,
    /// Null: the rate is for all of the state.
    pub city: Option<String>,
    pub rate_cents: i64,
}

/// The hours of the night, and what each costs more.
#[derive(Clone, Debug, PartialEq, Object, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Night {
    pub from: TimeOfDay,
    pub to: TimeOfDay,
    pub cents: i64,
}

/// A holiday: a day of a month, or the `nth` weekday in it (-1 is the last).
#[derive(Clone, Debug, PartialEq, Object, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Holiday {
    pub title: String,
    pub month: i8,
    pub day: Option<i8>,
    pub weekday: Option<Weekday>,
    pub nth: Option<i8>,
}

/// What hours soon after the start cost more where the customer calls late.
#[derive(Clone, Debug, PartialEq, Object, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ShortNotice {
    /// For shifts that begin on so many first days.
    pub days: i64,
    /// The shortest notice first.
    pub tiers: Vec<NoticeTier>,
}

/// What a notice that is shorter costs more.
#[derive(Clone, Debug, PartialEq, Object, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct NoticeTier {
    pub under_hours: u32,
    pub basis_points: i64,
}

/// A supervisor is added to a post of this many officers or more.
#[derive(Clone, Debug, PartialEq, Object, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Supervisor {
    /// 0 where none is added.
    pub from_officers: u32,
    pub class: String,
}

/// What an officer's long days and weeks cost more.
#[derive(Clone, Debug, PartialEq, Object, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Overtime {
    /// For states without their own rules.
    pub federal: OvertimeRules,
    pub states: BTreeMap<String, OvertimeRules>,
}

/// What an officer's long days and weeks cost more in a state.
#[derive(Clone, Debug, Default, PartialEq, Object, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct OvertimeRules {
    /// By the length of a shift, the shortest first.
    #[oai(default)]
    pub daily: Vec<OvertimeTier>,
    /// By the length of a shift on the seventh day of a workweek that begins on Sunday.
    #[oai(default)]
    pub seventh_day: Vec<OvertimeTier>,
    /// By the sum of an officer's regular minutes in a workweek.
    pub weekly: Option<OvertimeTier>,
}

/// What is added after so many minutes.
#[derive(Clone, Debug, PartialEq, Object, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct OvertimeTier {
    pub over_minutes: i64,
    pub basis_points: i64,
}

/// Equipment, and what it costs.
#[derive(Clone, Debug, PartialEq, Object, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Equipment {
    pub title: String,
    pub cents: i64,
    pub per: EquipmentUnit,
}

/// How often equipment is charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Deserialize, Serialize)]
#[oai(rename_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub enum EquipmentUnit {
    Day,
    Once,
}

/// The sales tax of a state.
#[derive(Clone, Debug, PartialEq, Object, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Tax {
    pub title: String,
    pub basis_points: i64,
}

impl RateCard {
    /// The titles of the classes.
    pub fn class_titles(&self) -> BTreeMap<String, String> {
        let classes = self.classes.iter();
        classes
            .map(|(key, class)| (key.clone(), class.title.clone()))
            .collect()
    }

    /// The rate of a class at a place: the city's, else the state's, else the card's.
    pub fn rate(&self, class: &str, state: &str, city: &str) -> Option<i64> {
        let of = |named: Option<&str>| {
            let mut all = self.overrides.iter();
            let found = all.find(|entry| {
                let same_city = match (&entry.city, named) {
                    (None, None) => true,
                    (Some(city), Some(named)) => city.eq_ignore_ascii_case(named.trim()),
                    _ => false,
                };
                entry.class == class && entry.state == state && same_city
            });
            found.map(|entry| entry.rate_cents)
        };
        let general = || self.classes.get(class).map(|class| class.rate_cents);
        of(Some(city)).or_else(|| of(None)).or_else(general)
    }

    pub fn is_holiday(&self, date: Date) -> bool {
        self.holidays.iter().any(|holiday| holiday.is_on(date))
    }

    pub fn overtime(&self, state: &str) -> &OvertimeRules {
        let own = self.overtime.states.get(state);
        own.unwrap_or(&self.overtime.federal)
    }
}

impl Holiday {
    fn is_on(&self, date: Date) -> bool {
        if date.month() != self.month {
            return false;
        }
        let is_nth = match self.nth {
            Some(-1) => date.day() + 7 > date.days_in_month(),
            nth => nth == Some((date.day() + 6) / 7),
        };
        self.day == Some(date.day()) || is_nth && self.weekday == Some(Weekday::of(date))
    }
}
