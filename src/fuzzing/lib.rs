//! Runs a parser on mutations of its seeds: `just fuzz-parsers SECONDS`. What makes it panic, or
//! takes longer than its bound, is written to `target/fuzz/` and fails the test.

#![expect(
    clippy::disallowed_methods,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test: its length is a setting of its recipe, and it ends at what it finds"
)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Maximum length of an input, in bytes.
const MAX_INPUT: usize = 256 * 1024;

/// Pseudorandom numbers (xorshift64*): a run is repeated with the same `FUZZ_SEED`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `end`, which may be 0.
    fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap().max(1);
        usize::try_from(self.next() % end).unwrap()
    }

    fn range(&mut self, length: usize, longest: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        start..(start + self.below(longest + 1)).min(length)
    }
}

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Gives `read` mutations of `seeds` for `FUZZ_SECONDS`. `words` are tokens of the format.
pub fn fuzz(name: &str, seeds: &[Vec<u8>], words: &[&str], bound: Duration, read: impl Fn(&[u8])) {
    let seconds = setting("FUZZ_SECONDS").unwrap_or(5);
    let seed = setting("FUZZ_SEED").unwrap_or_else(|| {
        let bytes = domain::ids::random_bytes::<8>();
        u64::from_le_bytes(bytes).max(1)
    });
    let mut random = Random(seed);
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut count = 0_u64;
    while Instant::now() < end {
        let input = mutated(&mut random, seeds, words);
        let before = processor_time();
        let ended = catch_unwind(AssertUnwindSafe(|| read(&input)));
        let took = processor_time().saturating_sub(before);
        if ended.is_err() || took > bound {
            let file = write(name, &input);
            panic!(
                "{name}: input {count} of FUZZ_SEED={seed} took {took:?}{}; see {}",
                if ended.is_err() { " and panicked" } else { "" },
                file.display()
            );
        }
        count += 1;
    }
    println!("{name}: {count} inputs in {seconds} s, FUZZ_SEED={seed}: nothing found");
}

/// The processor time of this thread: a busy machine is not taken for a slow parser.
fn processor_time() -> Duration {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    let nanos = times.split(' ').next().unwrap();
    Duration::from_nanos(nanos.parse().unwrap())
}

fn write(name: &str, input: &[u8]) -> PathBuf {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/fuzz"));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(name);
    std::fs::write(&file, input).unwrap();
    file
}

fn mutated(random: &mut Random, seeds: &[Vec<u8>], words: &[&str]) -> Vec<u8> {
    let mut input = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(8) {
        let at = random.range(input.len(), 64);
        match random.below(7) {
            0 if !at.is_empty() => input[at.start] ^= 1 << random.below(8),
            1 => drop(input.drain(at)),
            2 => {
                let part = input[at.clone()].to_vec();
                let times = 1 << random.below(10);
                input.splice(at.start..at.start, part.repeat(times));
            }
            3 => {
                let other = &seeds[random.below(seeds.len())];
                let part = other[random.range(other.len(), 4_096)].to_vec();
                input.splice(at, part);
            }
            4 if !words.is_empty() => {
                let word = words[random.below(words.len())].as_bytes().to_vec();
                input.splice(at.start..at.start, word);
            }
            5 => input.truncate(at.start),
            _ => {
                let byte = [0, 0xFF, b'\n', b'=', b'(', b'<', b'"', b';'][random.below(8)];
                input.splice(at.start..at.start, [byte]);
            }
        }
        input.truncate(MAX_INPUT);
    }
    input
}
