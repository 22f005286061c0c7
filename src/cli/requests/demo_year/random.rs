//! Numbers that look random and are the same in each run.

use anyhow::{Context, Result};

/// A generator with a fixed seed.
pub(super) struct Random(fastrand::Rng);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// A number from `from` to `to`, with both ends.
    pub(super) fn between(&mut self, from: i64, to: i64) -> i64 {
        self.0.i64(from..=to.max(from))
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
        let found = self.0.choice(items);
        found.context("a list in seeds/demo/year.json is empty")
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
    use super::Random;

    #[test]
    fn items_are_picked_by_their_share_and_the_same_each_time() {
        let draw = || {
            let mut random = Random::new(7);
            let items = [("often", 9), ("seldom", 1)];
            let mut drawn = Vec::new();
            for _ in 0..1000 {
                drawn.push(random.weighted(&items, |(_, share)| *share).unwrap().0);
            }
            drawn
        };
        let drawn = draw();
        assert_eq!(drawn, draw());
        let often = drawn.iter().filter(|name| **name == "often").count();
        assert!((850..950).contains(&often), "{often}");
        assert!(Random::new(7).pick::<i64>(&[]).is_err());
    }
}
