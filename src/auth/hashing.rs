//! Password hashes: argon2id on blocking threads, a fixed number at a time with a bounded queue.
//! Each worker allocates its work memory once and keeps it: with a new allocation per hash, the
//! allocator would keep a block of 19 MiB for every thread that ever computed one.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{ARGON2ID_IDENT, Algorithm, Argon2, Block, Params, Version};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::error::{AuthError, Error, Result, reject};
use crate::config;
use crate::domain::ids;

/// Upper bounds for the memory cost (KiB) and time cost of an imported hash.
const MAX_MEMORY_KIB: u32 = 65_536;
const MAX_ITERATIONS: u32 = 10;

/// Computes and verifies password hashes on blocking threads.
pub struct Hasher {
    running: Arc<Semaphore>,
    queue: Arc<Semaphore>,
    at_once: usize,
    idle: Arc<Mutex<Vec<Worker>>>,
    new_worker: Worker,
    dummy_hash: String,
}

impl Hasher {
    /// Creates a hasher with the configured parameters and limits.
    ///
    /// # Errors
    /// When argon2 rejects the parameters.
    pub fn new(settings: &config::Auth) -> Result<Self> {
        let (memory, iterations) = (settings.argon2_memory_kib, settings.argon2_iterations);
        let params = Params::new(memory, iterations, 1, None).map_err(argon2_error)?;
        let at_once = settings.hashes_at_once.max(1) as usize;
        Ok(Self {
            running: Arc::new(Semaphore::new(at_once)),
            queue: Arc::new(Semaphore::new(at_once + settings.hashes_waiting as usize)),
            at_once,
            idle: Arc::default(),
            // Costs the same as a real hash, and no password matches it.
            dummy_hash: phc(
                &params,
                &ids::random_bytes::<16>(),
                &ids::random_bytes::<32>(),
            )?,
            new_worker: Worker {
                params,
                memory: Vec::new(),
                operations: Arc::default(),
            },
        })
    }

    /// Hashes a password with a new salt; returns a PHC string.
    ///
    /// # Errors
    /// `over_request_rate_limit` when the queue is full.
    pub async fn hash(&self, password: &str) -> Result<String> {
        let password = password.to_owned();
        self.run(move |worker| worker.hash(&password)).await?
    }

    /// Whether the password matches `hash`. Without a hash the same work is done, so that the
    /// response time does not reveal it.
    ///
    /// # Errors
    /// `over_request_rate_limit` when the queue is full.
    pub async fn verify(&self, password: &str, hash: Option<&str>) -> Result<bool> {
        let (password, known) = (password.to_owned(), hash.is_some());
        let hash = self.hash_or_dummy(hash);
        let is_correct = self.run(move |worker| worker.verify(&password, &hash));
        Ok(is_correct.await? && known)
    }

    /// The hash, or a dummy hash of the same cost.
    pub(super) fn hash_or_dummy(&self, hash: Option<&str>) -> String {
        hash.unwrap_or(&self.dummy_hash).to_owned()
    }

    /// Number of hashes computed since the start. Tests use it to prove that two paths do the same
    /// work.
    pub fn operations(&self) -> u64 {
        self.new_worker.operations.load(Ordering::Relaxed)
    }

    /// Number of running jobs.
    pub fn running(&self) -> usize {
        self.at_once - self.running.available_permits()
    }

    /// Reserves a queue permit.
    ///
    /// # Errors
    /// `over_request_rate_limit` when the queue is full.
    pub(super) fn reserve(&self) -> Result<QueuePermit> {
        match self.queue.clone().try_acquire_owned() {
            Ok(queue_permit) => Ok(QueuePermit(queue_permit)),
            Err(_) => reject(AuthError::rate_limited(1)),
        }
    }

    /// Queues a job and runs it on a blocking thread.
    ///
    /// # Errors
    /// `over_request_rate_limit` when the queue is full.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Worker) -> T + Send + 'static,
    ) -> Result<T> {
        self.run_with_permit(self.reserve()?, job).await
    }

    /// Runs a job whose queue permit was reserved.
    ///
    /// # Errors
    /// When the job panics.
    pub(super) async fn run_with_permit<T: Send + 'static>(
        &self,
        queue_permit: QueuePermit,
        job: impl FnOnce(&mut Worker) -> T + Send + 'static,
    ) -> Result<T> {
        let permit = self.running.clone().acquire_owned().await;
        let (idle, new_worker) = (self.idle.clone(), self.new_worker.clone());
        // The job holds the permits: if the client disconnects, they are released only when the job
        // ends.
        let job = tokio::task::spawn_blocking(move || {
            let workers = || idle.lock().unwrap_or_else(PoisonError::into_inner);
            let mut worker = workers().pop().unwrap_or(new_worker);
            let result = job(&mut worker);
            workers().push(worker);
            drop((permit, queue_permit));
            result
        });
        job.await
            .map_err(|_| Error::Internal("a password job failed".into()))
    }
}

/// A permit of the queue, released on drop.
pub(super) struct QueuePermit(#[expect(dead_code, reason = "held, not read")] OwnedSemaphorePermit);

/// Computes one hash at a time and keeps its work memory. At most `at_once` workers exist.
#[derive(Clone)]
pub(super) struct Worker {
    params: Params,
    memory: Vec<Block>,
    operations: Arc<AtomicU64>,
}

impl Worker {
    /// Hashes a password with a new salt; returns a PHC string.
    ///
    /// # Errors
    /// When argon2 fails.
    pub(super) fn hash(&mut self, password: &str) -> Result<String> {
        let (params, salt) = (self.params.clone(), ids::random_bytes::<16>());
        let mut hash = [0; Params::DEFAULT_OUTPUT_LEN];
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        self.compute(&argon2, password, &salt, &mut hash)?;
        phc(&self.params, &salt, &hash)
    }

    /// Whether the password matches `hash`.
    pub(super) fn verify(&mut self, password: &str, hash: &str) -> bool {
        PasswordHash::new(hash).is_ok_and(|hash| self.matches(password, &hash).unwrap_or(false))
    }

    /// Uses the parameters of the hash, which may differ from the configured ones.
    fn matches(&mut self, password: &str, hash: &PasswordHash) -> Result<bool> {
        let (Some(salt), Some(expected)) = (&hash.salt, &hash.hash) else {
            return Ok(false);
        };
        let algorithm = Algorithm::try_from(hash.algorithm.as_str()).map_err(argon2_error)?;
        let version = match hash.version {
            Some(version) => Version::try_from(version).map_err(argon2_error)?,
            None => Version::default(),
        };
        let params = Params::try_from(hash).map_err(argon2_error)?;
        let argon2 = Argon2::new(algorithm, version, params);
        let mut computed = [0; Output::MAX_LENGTH];
        let computed = &mut computed[..expected.len()];
        self.compute(&argon2, password, salt, computed)?;
        // Compares in constant time.
        Ok(Output::new(computed).map_err(argon2_error)? == *expected)
    }

    fn compute(
        &mut self,
        argon2: &Argon2<'_>,
        password: &str,
        salt: &[u8],
        hash: &mut [u8],
    ) -> Result<()> {
        self.operations.fetch_add(1, Ordering::Relaxed);
        let blocks = argon2.params().block_count();
        if self.memory.len() < blocks {
            // Free the old memory first, so that both never exist at the same time.
            self.memory = Vec::new();
            self.memory = vec![Block::new(); blocks];
        }
        argon2
            .hash_password_into_with_memory(password.as_bytes(), salt, hash, &mut self.memory[..])
            .map_err(argon2_error)
    }

    /// Whether a hash has other parameters than the configured ones.
    pub(super) fn is_outdated(&self, hash: &str) -> bool {
        let costs = |params: &Params| (params.m_cost(), params.t_cost(), params.p_cost());
        PasswordHash::new(hash)
            .ok()
            .and_then(|hash| Params::try_from(&hash).ok())
            .is_none_or(|params| costs(&params) != costs(&self.params))
    }
}

/// Encodes a hash as a PHC string.
fn phc(params: &Params, salt: &[u8], hash: &[u8]) -> Result<String> {
    let hash = PasswordHash {
        algorithm: ARGON2ID_IDENT,
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(params).map_err(argon2_error)?,
        salt: Some(Salt::new(salt).map_err(argon2_error)?),
        hash: Some(Output::new(hash).map_err(argon2_error)?),
    };
    Ok(hash.to_string())
}

fn argon2_error(error: impl std::fmt::Display) -> Error {
    Error::Internal(format!("argon2: {error}"))
}

/// Whether an admin may import this hash: argon2id within the cost bounds.
pub fn is_acceptable_hash(hash: &str) -> bool {
    PasswordHash::new(hash).is_ok_and(|parsed| {
        parsed.algorithm == ARGON2ID_IDENT
            && parsed.hash.is_some()
            && parsed.salt.is_some()
            && Params::try_from(&parsed).is_ok_and(|params| {
                params.m_cost() <= MAX_MEMORY_KIB && params.t_cost() <= MAX_ITERATIONS
            })
    })
}

#[cfg(test)]
mod tests {
    use futures_util::future::join_all;

    use super::{Hasher, Result, is_acceptable_hash};
    use crate::config::Auth;

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
    async fn a_hash_is_checked_and_an_unknown_user_costs_the_same_work() {
        let hasher = Hasher::new(&cheap()).unwrap();
        let hash = hasher.hash("correct horse").await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=8,t=1,p=1$"));
        let before = hasher.operations();
        assert!(hasher.verify("correct horse", Some(&hash)).await.unwrap());
        assert!(!hasher.verify("wrong", Some(&hash)).await.unwrap());
        assert!(!hasher.verify("correct horse", None).await.unwrap());
        assert_eq!(hasher.operations() - before, 3);
        assert!(!hasher.new_worker.is_outdated(&hash));
        let other = Auth {
            argon2_iterations: 2,
            ..cheap()
        };
        assert!(Hasher::new(&other).unwrap().new_worker.is_outdated(&hash));
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
        let hash = argon2::PasswordHasher::hash_password_with_salt(
            &argon2,
            b"correct horse",
            b"somesalt1234",
        );
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
            let mut addresses: Vec<_> = (hasher.idle.lock().unwrap().iter())
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

    #[tokio::test]
    async fn a_flood_is_turned_away_instead_of_queued() {
        let hasher = Hasher::new(&cheap()).unwrap();
        // One that runs and one that waits; held here, so that no fast hash makes room meanwhile.
        let full = [hasher.reserve().unwrap(), hasher.reserve().unwrap()];
        let flood = join_all((0..48).map(|_| hasher.verify("x", None))).await;
        assert!(flood.iter().all(Result::is_err));
        drop(full);
        assert!(hasher.verify("x", None).await.is_ok());
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
}
