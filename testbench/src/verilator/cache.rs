//! A folder of built files that threads and processes share.
//!
//! An entry is a folder `<kind>/<key>` with one file and its digest. It is made in a temporary folder and
//! renamed into place, so it appears completely or not at all. The digest is checked before every use,
//! because loading a damaged shared object kills the process. A lock file per entry avoids making the same
//! entry twice at a time; correctness does not depend on it.
//!
//! What is in the cache runs in this process. So the folder and its entries must be the user's own, and nobody
//! else may write to them.

use std::env;
use std::fs::{self, DirBuilder, File, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::process::geteuid;

use sha2::{Digest, Sha256};
use tempfile::TempDir;

use super::error::VerilatorError;

/// Attempts to replace a damaged entry while others may do the same.
const ATTEMPTS: usize = 4;

/// Name of the digest within an entry.
const DIGEST: &str = "sha256";

#[derive(Clone, Debug)]
pub(super) struct Cache {
    root: PathBuf,
}

/// A file in the cache.
pub(super) struct CachedFile {
    pub path: PathBuf,
    /// Whether this call made it.
    pub made: bool,
}

impl Cache {
    /// The cache at `folder`, or else at the environment's default.
    pub fn new(folder: Option<&Path>) -> Result<Self, VerilatorError> {
        let root = folder.map_or_else(default_root, Path::to_owned);
        // Tools run in other folders, so the path must be absolute.
        let root = std::path::absolute(&root).map_err(error(&root))?;
        make_private(&root)?;
        check_private(&root)?;
        Ok(Cache { root })
    }

    /// The file `name` of the entry, made by `make` unless an intact one exists.
    ///
    /// `make` gets an empty folder to work in and the path of the file to write.
    pub fn entry<F>(
        &self,
        kind: &str,
        key: &str,
        name: &str,
        make: F,
    ) -> Result<CachedFile, VerilatorError>
    where
        F: FnOnce(&Path, &Path) -> Result<(), VerilatorError>,
    {
        let folder = self.root.join(kind).join(key);
        let path = folder.join(name);
        for path in [self.root.join(kind).as_path(), &folder, &path, &folder.join(DIGEST)] {
            check_private(path)?;
        }
        if sound(&folder, name) {
            return Ok(CachedFile { path, made: false });
        }
        let temporary = self.temporary()?;
        let _lock = lock(&folder.with_extension("lock"))?;
        if sound(&folder, name) {
            return Ok(CachedFile { path, made: false });
        }
        let (work, fresh) = (temporary.path().join("work"), temporary.path().join("entry"));
        for folder in [&work, &fresh] {
            make_private(folder)?;
        }
        let file = fresh.join(name);
        make(&work, &file)?;
        let digest = file_digest(&file).map_err(error(&file))?;
        fs::write(fresh.join(DIGEST), digest).map_err(error(&fresh))?;
        for file in [&file, &fresh.join(DIGEST)] {
            fs::set_permissions(file, Permissions::from_mode(0o700)).map_err(error(file))?;
        }
        for attempt in 0..ATTEMPTS {
            let Err(refused) = fs::rename(&fresh, &folder) else {
                return Ok(CachedFile { path, made: true });
            };
            if sound(&folder, name) {
                return Ok(CachedFile { path, made: false });
            }
            // The existing entry is damaged, unless another process has just removed it.
            let aside = temporary.path().join(format!("damaged{attempt}"));
            if fs::rename(&folder, aside).is_err() && folder.exists() {
                return Err(error(&folder)(refused));
            }
        }
        let source = io::Error::other("the entry is repeatedly damaged");
        Err(VerilatorError::Cache { path: folder, source })
    }

    /// Removes an entry, so that the next use makes it again.
    pub fn discard(&self, kind: &str, key: &str) -> Result<(), VerilatorError> {
        let folder = self.root.join(kind).join(key);
        let temporary = self.temporary()?;
        match fs::rename(&folder, temporary.path().join("discarded")) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => Err(error(&folder)(source)),
            _ => Ok(()),
        }
    }

    /// A temporary folder on the same file system as the entries, so that renaming works.
    fn temporary(&self) -> Result<TempDir, VerilatorError> {
        let folder = self.root.join("tmp");
        make_private(&folder)?;
        TempDir::new_in(&folder).map_err(error(&folder))
    }
}

/// The default cache folder. An empty variable counts as unset.
fn default_root() -> PathBuf {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    variable("WARPSMITH_CACHE")
        .or_else(|| variable("XDG_CACHE_HOME").map(|folder| folder.join("warpsmith")))
        .or_else(|| variable("HOME").map(|folder| folder.join(".cache").join("warpsmith")))
        .unwrap_or_else(|| env::temp_dir().join(format!("warpsmith-{}", geteuid().as_raw())))
}

/// Makes a folder, and those above it, that only the user may enter.
fn make_private(folder: &Path) -> Result<(), VerilatorError> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(error(folder))
}

/// Checks that a file or folder, if it exists, is the user's and nobody else may write to it.
fn check_private(path: &Path) -> Result<(), VerilatorError> {
    const OTHERS_WRITE: u32 = 0o022;
    let Ok(found) = fs::metadata(path) else { return Ok(()) };
    let why = if found.uid() != geteuid().as_raw() {
        format!("it belongs to user {}", found.uid())
    } else if found.mode() & OTHERS_WRITE != 0 {
        format!("others may write to it (mode {:o})", found.mode() & 0o777)
    } else {
        return Ok(());
    };
    Err(VerilatorError::CacheOfOthers { path: path.to_owned(), why })
}

/// Waits for the lock, which dropping the file releases.
fn lock(path: &Path) -> Result<File, VerilatorError> {
    if let Some(folder) = path.parent() {
        make_private(folder)?;
    }
    let file = File::create(path).map_err(error(path))?;
    // Some network file systems have no locks; then the work may be done twice.
    let _ = file.lock();
    Ok(file)
}

/// Whether the entry exists and its file matches the digest.
fn sound(folder: &Path, name: &str) -> bool {
    match (fs::read_to_string(folder.join(DIGEST)), file_digest(&folder.join(name))) {
        (Ok(expected), Ok(found)) => expected == found,
        _ => false,
    }
}

fn file_digest(path: &Path) -> io::Result<String> {
    Ok(digest([fs::read(path)?]))
}

/// The digest of a list of fields, in hexadecimal. It covers each field's length, so that text cannot move
/// between fields unnoticed.
pub(super) fn digest<I>(fields: I) -> String
where
    I: IntoIterator<Item: AsRef<[u8]>>,
{
    let mut hasher = Sha256::new();
    for field in fields {
        let field = field.as_ref();
        hasher.update((field.len() as u64).to_le_bytes());
        hasher.update(field);
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn error(path: &Path) -> impl FnOnce(io::Error) -> VerilatorError {
    let path = path.to_owned();
    |source| VerilatorError::Cache { path, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(cache: &Cache) -> Result<CachedFile, VerilatorError> {
        cache.entry("kind", "key", "file", |_, file| fs::write(file, "text").map_err(error(file)))
    }

    fn mode(path: &Path, mode: u32) {
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn a_new_cache_is_private() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("a/cache");
        let cache = Cache::new(Some(&root)).unwrap();
        assert_eq!(fs::metadata(&root).unwrap().mode() & 0o777, 0o700);
        assert!(made(&cache).unwrap().made);
        assert!(!made(&cache).unwrap().made);
    }

    #[test]
    fn what_others_may_write_to_is_refused_wherever_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("cache");
        let cache = Cache::new(Some(&root)).unwrap();
        made(&cache).unwrap();
        for name in ["kind/key/file", "kind/key/sha256", "kind/key", "kind"] {
            mode(&root.join(name), 0o720);
            let refused = made(&cache).err().expect(name).to_string();
            assert!(refused.contains(name) && refused.contains("WARPSMITH_CACHE"), "{refused}");
            mode(&root.join(name), 0o755);
        }
        mode(&root, 0o777);
        let refused = Cache::new(Some(&root)).unwrap_err().to_string();
        assert!(refused.contains("others may write to it (mode 777)"), "{refused}");
    }

    #[test]
    fn what_another_user_owns_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (root, owner) = match geteuid().is_root() {
            true => (folder.path().join("cache"), 65_534),
            false => ("/usr".into(), 0),
        };
        if geteuid().is_root() {
            Cache::new(Some(&root)).unwrap();
            std::os::unix::fs::chown(&root, Some(owner), None).unwrap();
        }
        let refused = Cache::new(Some(&root)).unwrap_err().to_string();
        assert!(refused.contains(&format!("belongs to user {owner}")), "{refused}");
    }
}
