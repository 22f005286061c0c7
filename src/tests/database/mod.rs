//! The database under load, failure and replacement: commits, crashes, full disks, upgrades.

mod at_rest;
mod crash;
mod damage;
mod disk;
mod replication;
mod transfer;
mod upgrade;
mod writer;
