import Glibc

/// The owner and the permissions of the data folder and the database in it.
struct FolderCheck: Equatable, Sendable {
    let folder: String
    /// Nil if there is no such folder.
    let facts: FileFacts?
    /// Nil without a database.
    let database: FileFacts?
    let databasePath: String
    /// Why this user cannot use them; a sentence with the remedy.
    let obstacle: String?
    /// The owners' names.
    let ownerName, databaseOwnerName: String

    var finding: Finding {
        let subject = "Data folder"
        if let obstacle {
            return .problem(subject, "This user cannot use \(folder).", remedy: obstacle)
        }
        guard let facts else {
            return .ok(subject, "\(folder) does not exist yet; the first start creates it.")
        }
        if let database, database.owner != facts.owner {
            return .problem(
                subject,
                "\(folder) belongs to \(ownerName), but \(databasePath) to \(databaseOwnerName).",
                remedy: "Run as root: chown \(ownerName) \(databasePath)*")
        }
        if facts.mode & 0o077 != 0 {
            return .warning(
                subject, "Other users can open \(folder) (mode \(Self.text(facts.mode))).",
                remedy: "If only Roost uses it, run: chmod 700 \(folder)")
        }
        if let database, database.mode & 0o077 != 0 {
            return .warning(
                subject, "Other users can open \(databasePath) (mode \(Self.text(database.mode))).",
                remedy: "Run: chmod 600 \(databasePath)*")
        }
        return .ok(subject, "\(folder), mode \(Self.text(facts.mode)), belongs to \(ownerName).")
    }

    private static func text(_ mode: mode_t) -> String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

/// What the file system says about a file or folder.
struct FileFacts: Equatable, Sendable {
    let bytes: Int
    /// The permission bits.
    let mode: mode_t
    let owner: uid_t

    init(bytes: Int = 0, mode: mode_t, owner: uid_t) {
        self.bytes = bytes
        self.mode = mode
        self.owner = owner
    }

    /// Nil if there is no such file, or this user may not look.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(bytes: Int(status.st_size), mode: status.st_mode & 0o7777, owner: status.st_uid)
    }
}
