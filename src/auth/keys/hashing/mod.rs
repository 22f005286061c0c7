//! Password hashes: argon2id on blocking threads, a fixed number at a time with a bounded queue.
//! Each worker allocates its work memory once and keeps it: with a new allocation per hash, the
//! allocator would keep a block of 19 MiB for every thread that ever computed one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{ARGON2ID_IDENT, Algorithm, Argon2, Block, Params, Version};
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{AuthError, Error, Result, reject};
use domain::ids;

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
    /// Creates a hasher with the configured parameters and limits. Fails when argon2 rejects the
    /// parameters.
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

    /// Hashes a password with a new salt; returns a PHC string. Errors: `over_request_rate_limit`
    /// when the queue is full.
    pub async fn hash(&self, password: &str) -> Result<String> {
        let password = password.to_owned();
        self.run(move |worker| worker.hash(&password)).await?
    }

    /// Whether the password matches `hash`. Without a hash the same work is done, so that the
    /// response time does not reveal it. Errors: `over_request_rate_limit` when the queue is full.
    pub async fn verify(&self, password: &str, hash: Option<&str>) -> Result<bool> {
        let (password, known) = (password.to_owned(), hash.is_some());
        let hash = self.hash_or_dummy(hash);
        let is_correct = self.run(move |worker| worker.verify(&password, &hash));
        Ok(is_correct.await? && known)
    }

    /// The hash, or a dummy hash of the same cost.
    pub(crate) fn hash_or_dummy(&self, hash: Option<&str>) -> String {
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

    /// Reserves a queue permit. Errors: `over_request_rate_limit` when the queue is full.
    pub(crate) fn reserve(&self) -> Result<QueuePermit> {
        match self.queue.clone().try_acquire_owned() {
            Ok(queue_permit) => Ok(QueuePermit(queue_permit)),
            Err(_) => reject(AuthError::rate_limited(1)),
        }
    }

    /// Queues a job and runs it on a blocking thread. Errors: `over_request_rate_limit` when the
    /// queue is full.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Worker) -> T + Send + 'static,
    ) -> Result<T> {
        self.run_with_permit(self.reserve()?, job).await
    }

    /// Runs a job whose queue permit was reserved. Fails when the job panics.
    pub(crate) async fn run_with_permit<T: Send + 'static>(
        &self,
        queue_permit: QueuePermit,
        job: impl FnOnce(&mut Worker) -> T + Send + 'static,
    ) -> Result<T> {
        let permit = self.running.clone().acquire_owned().await;
        let (idle, new_worker) = (self.idle.clone(), self.new_worker.clone());
        // The job holds the permits: if the client disconnects, they are released only when the job
        // ends.
        let job = tokio::task::spawn_blocking(move || {
            let workers = || idle.lock();
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
pub(crate) struct QueuePermit(#[expect(dead_code, reason = "held, not read")] OwnedSemaphorePermit);

/// Computes one hash at a time and keeps its work memory. At most `at_once` workers exist.
#[derive(Clone)]
pub(crate) struct Worker {
    params: Params,
    memory: Vec<Block>,
    operations: Arc<AtomicU64>,
}

impl Worker {
    /// Hashes a password with a new salt; returns a PHC string.
    pub(crate) fn hash(&mut self, password: &str) -> Result<String> {
        let (params, salt) = (self.params.clone(), ids::random_bytes::<16>());
        let mut hash = [0; Params::DEFAULT_OUTPUT_LEN];
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        self.compute(&argon2, password, &salt, &mut hash)?;
        phc(&self.params, &salt, &hash)
    }

    /// Whether the password matches `hash`.
    pub(crate) fn verify(&mut self, password: &str, hash: &str) -> bool {
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
    pub(crate) fn is_outdated(&self, hash: &str) -> bool {
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
mod tests;
