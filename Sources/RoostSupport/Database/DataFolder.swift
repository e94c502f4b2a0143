import Foundation
import Glibc
package import Logging
import TextFormats

package enum DataFolder {
    static let secretKeyName = "secret.key"
    /// Roost's own files, and the folder that the file system itself may add.
    private static let ownNames: Set = [
        Database.fileName, secretKeyName, DataFolderLock.fileName, "pictures", "backups",
        StorageProbe.fileName, "lost+found",
    ]
    private static let otherUsersMask = S_IRWXG | S_IRWXO

    /// Creates the folder with mode 0700 if it is missing. Otherwise corrects the mode of the folder to 0700, and of
    /// the database's files to 0600, if other users may open them.
    ///
    /// Throws `RoostError.unavailable` if a mode cannot be changed, and for an open folder that holds other programs'
    /// files, such as `/tmp` or a home folder: changing its mode could break those programs.
    package static func prepare(_ folder: String, log: Logger? = nil) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        if let mode = openMode(of: folder) {
            let remedy =
                "If only Roost uses this folder, run: chmod 700 \(folder). Otherwise choose another folder with --data."
            guard mode & S_ISVTX == 0 else {
                throw refusal("The data folder \(folder)", mode, "and shared like /tmp", remedy)
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            if let other = names.first(where: { !isOwn($0) }) {
                throw refusal(
                    "The data folder \(folder)", mode, "and holds other files, such as \(other)", remedy)
            }
            try close(folder, "The data folder \(folder)", from: mode, to: 0o700, log)
        }
        // The log is next to the real file, even if the name in the folder is a symbolic link.
        let database = URL(filePath: folder + "/" + Database.fileName).resolvingSymlinksInPath().path
        for file in ["", "-wal", "-shm", "-journal"].map({ database + $0 }) {
            guard let mode = openMode(of: file) else { continue }
            try close(file, "The file \(file)", from: mode, to: 0o600, log)
        }
    }

    private static func isOwn(_ name: String) -> Bool {
        ownNames.contains(name) || name.hasPrefix(Database.fileName + "-")
            || name.hasPrefix(secretKeyName + ".")
    }

    /// The permissions of a file that other users may open, or nil if they may not or the file is missing.
    private static func openMode(of path: String) -> mode_t? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & otherUsersMask != 0 else { return nil }
        return status.st_mode & 0o7777
    }

    /// Changes by path: closing a descriptor of the database would release SQLite's locks.
    private static func close(
        _ path: String, _ label: String, from mode: mode_t, to closed: mode_t, _ log: Logger?
    ) throws {
        // A file system without modes, such as FAT, may accept the change and ignore it.
        guard chmod(path, closed) == 0, openMode(of: path) == nil else {
            throw refusal(
                label, mode, "and its mode cannot be changed",
                "Run as its owner: chmod \(String(closed, radix: 8)) \(path).")
        }
        log?.warning(
            "\(label) was open to other users (mode \(text(mode))); it now has mode \(text(closed)).")
    }

    private static func refusal(
        _ label: String, _ mode: mode_t, _ obstacle: String, _ remedy: String
    ) -> RoostError {
        .unavailable("\(label) is open to other users (mode \(text(mode))) \(obstacle). \(remedy)")
    }

    private static func text(_ mode: mode_t) -> String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

/// The lock on a data folder, held by the one server that uses it.
///
/// The kernel releases it when the process ends, even after a crash. Commands such as `roost user` take no lock: SQLite
/// lets them work next to a server.
package final class DataFolderLock: Sendable {
    package static let fileName = "roost.lock"

    /// Written into the file, which only the folder's owner can read: who knows it may ask the server how it sees a
    /// request (`roost doctor`). New at each start.
    package let secret = Secret.make(bytes: 32)
    private let file: Int32

    /// Locks `folder`, creating it if necessary.
    ///
    /// Throws `RoostError.unavailable` if another server holds the lock.
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
        // Set last: if an initialiser throws after setting all properties, `deinit` runs and closes the file a second
        // time.
        self.file = file
        write("\(getpid())\n\(secret)\n")
    }

    deinit { close(file) }

    private func write(_ text: String) {
        guard ftruncate(file, 0) == 0 else { return }
        let bytes = Array(text.utf8)
        _ = pwrite(file, bytes, bytes.count, 0)
    }

    /// Who holds the lock on a data folder, found without touching the lock.
    package struct Holder: Equatable, Sendable {
        /// False if no server runs on the folder.
        package let isHeld: Bool
        /// Of the last server.
        package let process: Int?
        /// Nil if this user may not read it.
        package let secret: String?

        package init(isHeld: Bool, process: Int? = nil, secret: String? = nil) {
            self.isHeld = isHeld
            self.process = process
            self.secret = secret
        }
    }

    /// Asking for the lock itself, even for a moment, could make a server's start fail: the kernel's list says it too.
    package static func holder(of folder: String) -> Holder {
        let path = folder + "/" + fileName
        var status = stat()
        guard stat(path, &status) == 0 else { return Holder(isHeld: false) }
        let lines = ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").splitBytes(at: "\n")
        let locks = (try? String(contentsOfFile: "/proc/locks", encoding: .utf8)) ?? ""
        return Holder(
            isHeld: isLocked(Int(status.st_ino), in: locks), process: lines.first.flatMap { Int($0) },
            secret: lines.count > 1 ? String(lines[1]) : nil)
    }

    /// - Parameter locks: the kernel's list, proc_locks(5): "1: FLOCK  ADVISORY  WRITE 617 08:01:2113 0 EOF"
    static func isLocked(_ inode: Int, in locks: String) -> Bool {
        locks.splitBytes(at: "\n").contains { line in
            let fields = line.splitBytes(at: " ")
            guard fields.count > 5, fields[1] == "FLOCK", fields[3] == "WRITE" else { return false }
            return fields[5].splitBytes(at: ":").last.flatMap { Int($0) } == inode
        }
    }

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
