//! Numbers that look random and are the same in each run.

use anyhow::{Context, Result};

/// A generator with a fixed start (SplitMix64).
pub(super) struct Dice(u64);

impl Dice {
    pub(super) const fn new(start: u64) -> Self {
        Self(start)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from `from` to `to`, with both ends.
    pub(super) fn between(&mut self, from: i64, to: i64) -> i64 {
        let count = to.saturating_sub(from).saturating_add(1).max(1);
        // 32 bits are plenty for the small ranges here.
        let drawn = i64::try_from(self.next() >> 32).unwrap_or_default();
        from + drawn % count
    }

    /// True in so many of a hundred cases.
    pub(super) fn chance(&mut self, percent: i64) -> bool {
        self.between(0, 99) < percent
    }

    /// `thousandths` as a whole number of items: 2300 is 2, or in three of ten cases 3.
    pub(super) fn whole(&mut self, thousandths: i64) -> i64 {
        thousandths / 1000 + i64::from(self.between(0, 999) < thousandths % 1000)
    }

    /// One of the items, each equally often. Errors: there is none.
    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> Result<&'a T> {
        self.weighted(items, |_| 1)
    }

    /// One of the items, by its share of the sum. Errors: there is none.
    pub(super) fn weighted<'a, T>(
        &mut self,
        items: &'a [T],
        share: impl Fn(&T) -> i64,
    ) -> Result<&'a T> {
        let sum = items.iter().map(&share).sum::<i64>();
        let mut left = self.between(1, sum);
        let mut items = items.iter();
        let found = items.find(|item| {
            left -= share(item);
            left <= 0
        });
        found.context("a list in seeds/demo/year.json is empty")
    }
}

#[cfg(test)]
mod tests {
    use super::Dice;

    #[test]
    fn items_are_picked_by_their_share_and_the_same_each_time() {
        let draw = || {
            let mut dice = Dice::new(7);
            let items = [("often", 9), ("seldom", 1)];
            let mut drawn = Vec::new();
            for _ in 0..1000 {
                drawn.push(dice.weighted(&items, |(_, share)| *share).unwrap().0);
            }
            drawn
        };
        let drawn = draw();
        assert_eq!(drawn, draw());
        let often = drawn.iter().filter(|name| **name == "often").count();
        assert!((850..950).contains(&often), "{often}");
        assert!(Dice::new(7).pick::<i64>(&[]).is_err());
    }
}
