import Foundation
import Glibc
package import Logging

/// The data folder and who may open it: Roost's own user alone.
package enum DataFolder {
    static let secretKeyName = "secret.key"
    /// What Roost keeps in the folder, and the folder that a disk may have of its own.
    private static let ownNames: Set = [
        Database.fileName, secretKeyName, DataFolderLock.fileName, "pictures", StorageProbe.fileName,
        "lost+found",
    ]
    private static let others = S_IRWXG | S_IRWXO

    /// Creates the folder with mode 0700 if it is missing. Otherwise corrects the mode of the folder to 0700 and of the database's
    /// files to 0600 where other users may open them.
    ///
    /// Throws `RoostError.unavailable` if a mode cannot be changed, and for an open folder with files of other programs, such as
    /// `/tmp` or a home folder: closing that one could break those programs.
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
        // The log is next to the file itself, also if the name in the folder is a symbolic link.
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

    /// The permissions of a file that other users may open; nil for one that is closed to them or missing.
    private static func openMode(of path: String) -> mode_t? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & others != 0 else { return nil }
        return status.st_mode & 0o7777
    }

    /// Changes by path: closing a descriptor of the database would release SQLite's locks.
    private static func close(
        _ path: String, _ label: String, from mode: mode_t, to closed: mode_t, _ log: Logger?
    ) throws {
        // A disk without modes, such as FAT, may accept the change and ignore it.
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

    /// "0755".
    private static func text(_ mode: mode_t) -> String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
