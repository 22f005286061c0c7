//! Runs the commands of root as the owner of the data folder, so that they leave no file there that
//! the service cannot open.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use anyhow::{Context, Result};
use rustix::process::{Gid, Uid, geteuid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, set_capabilities, set_keep_capabilities, set_thread_groups,
    set_thread_res_gid, set_thread_res_uid,
};

/// If root runs this process, changes its user to the owner of `folder`, or of the folder in which
/// it will be created. With `keep_ports` it may still listen on ports below 1024. Returns the new
/// user; `None` if nothing has changed. Call it before any thread is started. Fails if the folder
/// cannot be examined, or the system refuses.
pub(in crate::cli) fn work_as_owner(folder: &Path, keep_ports: bool) -> Result<Option<String>> {
    if !geteuid().is_root() {
        return Ok(None);
    }
    let Some((owner, group)) = owner(folder)? else {
        return Ok(None);
    };
    let (uid, gid) = (Uid::from_raw(owner), Gid::from_raw(group));
    let change = || -> rustix::io::Result<()> {
        set_keep_capabilities(keep_ports)?;
        set_thread_groups(&[gid])?;
        set_thread_res_gid(gid, gid, gid)?;
        set_thread_res_uid(uid, uid, uid)?;
        if keep_ports {
            let ports = CapabilitySet::NET_BIND_SERVICE;
            let sets = CapabilitySets {
                effective: ports,
                permitted: ports,
                inheritable: CapabilitySet::empty(),
            };
            set_capabilities(None, sets)?;
        }
        Ok(())
    };
    let name = user_name(owner);
    change().with_context(|| {
        format!(
            "root cannot become {name}, the owner of {}",
            folder.display()
        )
    })?;
    Ok(Some(format!(
        "as {name}, the owner of {}",
        folder.display()
    )))
}

/// The user and the group that own `folder`; `None` if that is root, or it does not exist.
fn owner(folder: &Path) -> Result<Option<(u32, u32)>> {
    let parent = folder.parent().filter(|parent| *parent != Path::new(""));
    for path in [folder, parent.unwrap_or(Path::new("."))] {
        match fs::metadata(path) {
            Ok(found) => return Ok(Some((found.uid(), found.gid())).filter(|(uid, _)| *uid != 0)),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read {}", path.display()));
            }
        }
    }
    Ok(None)
}

/// The name of a user of this host, or its number.
fn user_name(uid: u32) -> String {
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let named = users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(uid)).then(|| format!("user {name}"))
    });
    named.unwrap_or_else(|| format!("user {uid}"))
}

/// Creates the data folder, which the umask of all commands keeps from others, since it holds keys
/// and personal data. An existing folder keeps its permissions.
pub(super) fn create_data_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the data folder {}", folder.display()))
}
