//! Figures: counts of requests, offers and views by day, made of the rows when they are read. What
//! is deleted is added to `figures_kept` in the same transaction.

mod conversions;
pub(crate) mod kept;
mod offers;
mod read;
pub(crate) mod reports;
mod requests;
mod time_zone;
pub mod to_do;
pub mod views;

use domain::figures::sums::Count;

/// Takes the numbers of rows, one by one, with what they count.
type Add<'a> = &'a mut dyn FnMut(Count<'_>, i64);
