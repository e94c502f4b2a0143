import Foundation
import Glibc

/// The lock on a data folder, held by the one server that works in it.
///
/// The kernel releases it however the process ends, so a file left behind after a crash locks nobody out. Commands
/// such as `roost user` take no lock: SQLite lets them work beside a server.
package final class DataFolderLock: Sendable {
    /// The file's name inside the data folder. It holds the server's process id, as a hint for people.
    package static let fileName = "roost.lock"

    private let file: Int32

    /// Locks `folder`, which is made if it does not exist.
    ///
    /// Throws `RoostError.unavailable` where another server holds the lock.
    package init(folder: String) throws {
        try DataFolder.prepare(folder)
        let path = folder + "/" + Self.fileName
        try FolderOwner.checkAccess(to: folder, file: folder + "/" + Database.fileName)
        // Closed on exec, so that no child process keeps the lock.
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failure("The lock \(path) cannot be opened", errno) }
        FolderOwner.give(file, in: folder)
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let (cause, holder) = (errno, Self.holder(in: file))
            close(file)
            guard cause == EWOULDBLOCK else {
                throw Self.failure("The data folder \(folder) cannot be locked", cause)
            }
            throw RoostError.unavailable(
                """
                Another Roost\(holder) is running on the data folder \(folder). Stop it first, or choose another \
                folder with --data.
                """)
        }
        // Only now: an initialiser that throws with everything set would run `deinit`, and close it twice.
        self.file = file
        write("\(getpid())\n")
    }

    deinit { close(file) }

    /// The process id is only a hint: a full disk that does not take it is no reason to stop.
    private func write(_ text: String) {
        guard ftruncate(file, 0) == 0 else { return }
        let bytes = Array(text.utf8)
        _ = pwrite(file, bytes, bytes.count, 0)
    }

    /// " (process 1234)", or nothing where the file holds no process id.
    private static func holder(in file: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 20)
        let count = pread(file, &bytes, bytes.count, 0)
        let digits = bytes.prefix(max(count, 0)).prefix { (0x30...0x39).contains($0) }
        return digits.isEmpty ? "" : " (process \(String(decoding: digits, as: UTF8.self)))"
    }

    private static func failure(_ what: String, _ code: Int32) -> RoostError {
        .unavailable("\(what): \(String(cString: strerror(code))).")
    }
}
