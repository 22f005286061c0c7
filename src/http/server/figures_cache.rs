//! Figures that were read, for a minute: they are counted from all rows of their period.

use std::collections::HashMap;
use std::sync::Arc;

use domain::clock::{MINUTE_MS, Time};
use domain::figures::period::Period;
use domain::figures::tables::Figures;
use parking_lot::Mutex;
use store::Store;

/// Figures by their period, with the time at which they were read.
#[derive(Debug, Default)]
pub struct FiguresCache(Mutex<HashMap<Period, (Time, Arc<Figures>)>>);

impl FiguresCache {
    /// The figures of a period, at most a minute old.
    pub async fn read(
        &self,
        store: &Store,
        period: Period,
        now: Time,
    ) -> store::Result<Arc<Figures>> {
        let is_fresh = |at: Time| (0..MINUTE_MS).contains(&(now.millis() - at.millis()));
        if let Some((at, figures)) = self.0.lock().get(&period)
            && is_fresh(*at)
        {
            return Ok(figures.clone());
        }
        let figures = Arc::new(store.figures(period).await?);
        let mut kept = self.0.lock();
        kept.retain(|_, (at, _)| is_fresh(*at));
        kept.insert(period, (now, figures.clone()));
        Ok(figures)
    }
}
