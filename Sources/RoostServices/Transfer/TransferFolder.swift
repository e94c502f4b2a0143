import Foundation
import RoostSupport

/// The files of exports and imports in `DATA/transfers/USER`, which go with their user: the last export, an upload, and
/// the report of the last import. They have mode 0600 and are kept for a day.
struct TransferFolder: Service {
    struct Status {
        /// In bytes.
        let size: Int
        let changedAt: Date
    }

    /// In seconds.
    static let lifetime: TimeInterval = 86_400
    static let unwritable = RoostError.storageFull("The disk is full or can’t be written.")

    private let path: String
    private let databasePath: String

    init(in dataFolder: String) {
        path = dataFolder + "/transfers"
        databasePath = Services.databasePath(in: dataFolder)
    }

    func export(of user: UserID) -> String { file("all-my-data.zip", of: user) }
    func upload(of user: UserID) -> String { file("upload.zip", of: user) }
    func report(of user: UserID) -> String { file("report.csv", of: user) }

    private func file(_ name: String, of user: UserID) -> String { "\(path)/\(user)/\(name)" }

    /// Returns nil if there is no such file.
    static func status(ofFileAt path: String) -> Status? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Status(
            size: Int(status.st_size),
            changedAt: Date(timeIntervalSince1970: TimeInterval(status.st_mtim.tv_sec)))
    }

    /// Throws `RoostError.storageFull`.
    func make(for user: UserID) throws {
        for path in [path, "\(path)/\(user)"] {
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Self.unwritable }
        }
    }

    /// Adds the bytes at the end of a user's upload. Throws `RoostError.storageFull`.
    func append(_ bytes: [UInt8], toUploadOf user: UserID) throws {
        let file = open(upload(of: user), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.unwritable }
        defer { close(file) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.unwritable }
            rest = rest.dropFirst(count)
        }
    }

    /// Deletes files of more than a day.
    func deleteExpired(at now: Date) {
        let manager = FileManager.default
        for user in (try? manager.contentsOfDirectory(atPath: path)) ?? [] {
            for name in (try? manager.contentsOfDirectory(atPath: "\(path)/\(user)")) ?? [] {
                let file = "\(path)/\(user)/\(name)"
                guard let status = Self.status(ofFileAt: file) else { continue }
                if status.changedAt + Self.lifetime < now { unlink(file) }
            }
            rmdir("\(path)/\(user)")
        }
    }

    func forget(_ user: UserID) { try? FileManager.default.removeItem(atPath: "\(path)/\(user)") }

    // MARK: Room

    /// In bytes, without the log.
    var databaseBytes: Int { Self.status(ofFileAt: databasePath)?.size ?? 0 }

    /// Throws `RoostError.storageFull` if the disk would have less than the reserve left.
    func checkRoom(for bytes: Int) throws {
        let parent = (databasePath as NSString).deletingLastPathComponent
        guard let free = FreeSpace.bytes(in: parent), let total = FreeSpace.total(in: parent) else { return }
        guard free - bytes > Self.reserve(database: databaseBytes, disk: total) else {
            throw RoostError.storageFull("There is not enough space on the server’s disk.")
        }
    }

    /// What must stay free on a disk, all in bytes: room for a backup and for the database to grow, but at most a tenth
    /// of the disk. Small disks keep 256 MB.
    static func reserve(database: Int, disk: Int) -> Int {
        min(max(1 << 30, 2 * database), max(256 << 20, disk / 10))
    }
}
