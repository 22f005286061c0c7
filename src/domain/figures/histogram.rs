//! Times of answers as a histogram of whole minutes, of which any share and rank can be computed
//! without the single times.

use std::collections::BTreeMap;

/// The longest time that is distinguished: 30 days, in minutes.
pub const MAX_MINUTES: i64 = 30 * 24 * 60;

/// The number of answers by the whole minutes that they took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram(BTreeMap<i64, i64>);

impl Histogram {
    pub fn add(&mut self, minutes: i64, answers: i64) {
        *self.0.entry(minutes).or_default() += answers;
    }

    /// The number of all answers.
    pub fn total(&self) -> i64 {
        self.0.values().sum()
    }

    /// The number of answers within the time: a request is overdue at the minute itself.
    pub fn within(&self, minutes: i64) -> i64 {
        self.0.range(..minutes).map(|(_, answers)| answers).sum()
    }

    /// The smallest time in which this share of the answers, in percent, was given (the nearest
    /// rank); `None` without answers.
    pub fn percentile(&self, percent: i64) -> Option<i64> {
        let rank = (self.total() * percent + 99) / 100;
        let mut counted = 0;
        let mut times = self.0.iter().filter(|(_, answers)| **answers > 0);
        times.find_map(|(minutes, answers)| {
            counted += answers;
            (counted >= rank).then_some(*minutes)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Histogram;

    #[test]
    fn half_of_the_answers_took_no_longer_than_the_median() {
        let mut times = Histogram::default();
        assert_eq!(times.percentile(50), None);
        for (minutes, answers) in [(3, 1), (5, 2), (30, 1), (1440, 1)] {
            times.add(minutes, answers);
        }
        assert_eq!(
            (times.percentile(50), times.percentile(90)),
            (Some(5), Some(1440))
        );
        assert_eq!(
            (times.within(30), times.within(31), times.total()),
            (3, 4, 5)
        );
    }
}
