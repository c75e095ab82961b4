//! Privileges of the process: one that has more than its user reads and writes no files for that user.

/// The identities of a process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProcessIdentity {
    /// The real and the effective user.
    pub users: [u32; 2],
    /// The real and the effective group.
    pub groups: [u32; 2],
    /// True if the kernel started the program with more privileges than its caller has, as it also does for file capabilities.
    pub is_secure: bool,
}

impl ProcessIdentity {
    /// True if the process has other privileges than its user.
    pub fn is_elevated(&self) -> bool {
        self.is_secure || self.users[0] != self.users[1] || self.groups[0] != self.groups[1]
    }

    /// Returns the identity of this process.
    #[cfg(unix)]
    pub fn current() -> ProcessIdentity {
        // SAFETY: these functions only return numbers.
        unsafe {
            ProcessIdentity {
                users: [libc::getuid(), libc::geteuid()],
                groups: [libc::getgid(), libc::getegid()],
                #[cfg(any(target_os = "linux", target_os = "android"))]
                is_secure: libc::getauxval(libc::AT_SECURE) != 0,
                #[cfg(not(any(target_os = "linux", target_os = "android")))]
                is_secure: libc::issetugid() != 0,
            }
        }
    }

    /// Returns an identity without privileges: those of other systems are not known.
    #[cfg(not(unix))]
    pub fn current() -> ProcessIdentity {
        ProcessIdentity { users: [0; 2], groups: [0; 2], is_secure: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_users_groups_and_secure_mode_are_elevated() {
        let plain = ProcessIdentity { users: [1000, 1000], groups: [100, 100], is_secure: false };
        assert!(!plain.is_elevated());
        for elevated in [
            ProcessIdentity { users: [1000, 0], ..plain },
            ProcessIdentity { users: [0, 1000], ..plain },
            ProcessIdentity { groups: [100, 0], ..plain },
            ProcessIdentity { is_secure: true, ..plain },
        ] {
            assert!(elevated.is_elevated(), "{elevated:?}");
        }
        assert!(!ProcessIdentity::current().is_elevated());
    }
}
