package import Foundation
import GRDB
import Glibc

/// Puts a backup in place of a data folder's database.
package struct DatabaseRestore: Sendable {
    private let check: DatabaseCheck

    package init(check: DatabaseCheck) { self.check = check }

    /// Copies and checks the file, moves the current database aside, and gives the copy its name. The file stays.
    ///
    /// - Parameter replaces: whether there may be a current database
    /// - Returns: where the current database now is, or nil if there was none
    /// - Throws: `RoostError.unavailable` while a server is running, for a file that is damaged, another program's or
    ///   a newer version's; `.conflict` if there is a database and `replaces` is false
    package func restore(
        _ file: String, into folder: String, replaces: Bool, now: Date = Date()
    ) async throws -> String? {
        let lock = try DataFolderLock(folder: folder)
        defer { withExtendedLifetime(lock) {} }
        let path = folder + "/" + Database.fileName
        let hasCurrent = Self.exists(path)
        guard replaces || !hasCurrent else {
            throw RoostError.conflict(
                field: "file",
                why:
                    "There is a database in \(folder). With --force it is moved aside, and \(file) takes its place."
            )
        }
        try DatabaseCheck.refuseMissing(file)
        let draft = try DraftCopy(of: "\(path)-restored-\(BackupFile(now).time)")
        defer { draft.discard() }
        try await fill(draft, from: file)
        FolderOwner.give(draft.file)
        // Also without a database: SQLite would write an older log into the copy.
        let aside = try Self.moveAside(path, now)
        guard rename(draft.file, path) == 0 else {
            throw Self.failure("The copy cannot be named \(path)")
        }
        DraftCopy.synchronize(folder)
        return aside
    }

    private func fill(_ draft: DraftCopy, from file: String) async throws {
        do { try draft.fill(fromFileAt: file) } catch let error as DatabaseError {
            throw RoostError.unavailable(
                "\(file) cannot be read: \(error.message ?? "SQLite gave no reason").")
        }
        let problems = try await check.problems(ofFileAt: draft.file, shownAs: file)
        guard let problem = problems.first else { return }
        let more = problems.count > 1 ? " (and \(problems.count - 1) more)" : ""
        throw RoostError.unavailable(
            "Nothing was changed, because \(file) fails the check: \(problem)\(more) Restore another backup.")
    }

    /// Moves the log with the database, so that both can be opened again. Returns nil without a database.
    private static func moveAside(_ path: String, _ now: Date) throws -> String? {
        let aside = "\(path)-replaced-\(BackupFile(now).time)"
        let isThere = exists(path)
        guard !exists(aside) else {
            throw RoostError.conflict(field: "file", why: "There is already a file at \(aside).")
        }
        for suffix in ["-wal", "-journal", ""] where exists(path + suffix) {
            guard rename(path + suffix, aside + suffix) == 0 else {
                throw failure("\(path + suffix) cannot be moved aside")
            }
        }
        unlink(path + "-shm")
        return isThere ? aside : nil
    }

    /// True also for a symbolic link to a missing file.
    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    private static func failure(_ what: String) -> RoostError {
        .unavailable("\(what): \(String(cString: strerror(errno))).")
    }
}
