//! Hashes are checked in memory that is allocated once, and a flood of jobs is turned away.

use futures_util::future::join_all;

use super::{Hasher, Result, is_acceptable_hash};
use config::Auth;

fn cheap() -> Auth {
    Auth {
        argon2_memory_kib: 8,
        argon2_iterations: 1,
        hashes_at_once: 1,
        hashes_waiting: 1,
        ..Auth::default()
    }
}

#[tokio::test]
async fn hashes_with_other_parameters_are_checked_in_the_same_memory() {
    // As written by `argon2 -id -t 2 -k 64 -p 2 -l 24`: other lanes, length and version.
    let known = "$argon2id$v=19$m=64,t=2,p=2$c29tZXNhbHQxMjM0$";
    let argon2 = argon2::Argon2::new(
        argon2::Algorithm::Argon2id,
        argon2::Version::V0x13,
        argon2::Params::new(64, 2, 2, Some(24)).unwrap(),
    );
    let hash =
        argon2::PasswordHasher::hash_password_with_salt(&argon2, b"correct horse", b"somesalt1234");
    let hash = hash.unwrap().to_string();
    assert!(hash.starts_with(known), "{hash}");
    let hasher = Hasher::new(&cheap()).unwrap();
    let own = hasher.hash("correct horse").await.unwrap();
    for hash in [&own, &hash, &own] {
        assert!(hasher.verify("correct horse", Some(hash)).await.unwrap());
        assert!(!hasher.verify("wrong", Some(hash)).await.unwrap());
    }
    for broken in ["", "plain", "$argon2id$v=19$m=64,t=2,p=2$c29tZXNhbHQxMjM0"] {
        assert!(!hasher.verify("", Some(broken)).await.unwrap(), "{broken}");
    }
}

#[tokio::test]
async fn work_memory_is_allocated_once_for_each_hash_at_once() {
    let settings = Auth {
        hashes_at_once: 3,
        hashes_waiting: 100,
        ..cheap()
    };
    let hasher = Hasher::new(&settings).unwrap();
    let addresses = || {
        let mut addresses: Vec<_> = (hasher.idle.lock().iter())
            .map(|worker| worker.memory.as_ptr() as usize)
            .collect();
        addresses.sort_unstable();
        addresses
    };
    let mut known = Vec::new();
    for _ in 0..10 {
        let all = join_all((0..100).map(|_| hasher.verify("x", None))).await;
        assert!(all.into_iter().all(|is_correct| !is_correct.unwrap()));
        let now = addresses();
        assert!(now.len() <= 3 && known.iter().all(|address| now.contains(address)));
        known = now;
    }
}

#[expect(clippy::panic, reason = "a job that panics is what is tested")]
#[tokio::test]
async fn jobs_run_on_threads_of_their_own_and_one_that_panics_harms_no_other() {
    let hasher = Hasher::new(&cheap()).unwrap();
    let here = std::thread::current().id();
    let there = hasher.run(|_| std::thread::current().id()).await.unwrap();
    assert_ne!(here, there);
    let failed: Result<()> = hasher.run(|_| panic!("on purpose")).await;
    assert!(failed.is_err());
    assert_eq!(hasher.running(), 0);
    assert!(!hasher.verify("x", None).await.unwrap());
}

#[test]
fn only_affordable_argon2id_hashes_are_taken_in() {
    let hash = |m: u32| {
        format!(
            "$argon2id$v=19$m={m},t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$\
             Y5lqPIYQ5jK6x0wXXzlRe3WvQ5HqFKf0nE5kkq3YV2c"
        )
    };
    assert!(is_acceptable_hash(&hash(19_456)));
    assert!(!is_acceptable_hash(&hash(4_000_000)));
    assert!(!is_acceptable_hash("$2b$10$abcdefghijklmnopqrstuv"));
    assert!(!is_acceptable_hash("plain"));
}
