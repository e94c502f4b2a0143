package import Foundation
import GRDB
import Glibc
package import Logging
import Synchronization

/// Makes a checked backup every night and before each migration, and deletes those that are no longer needed.
package final class DatabaseBackups: Service {
    package struct Configuration: Equatable, Sendable {
        package let folder: String
        package let retention: BackupRetention
        /// From 0 to 23, in the machine's time zone.
        package let hour: Int

        package init(folder: String, retention: BackupRetention = BackupRetention(), hour: Int = 3) {
            self.folder = folder
            self.retention = retention
            self.hour = hour
        }

        /// The path of the newest backup, or nil without one.
        package var newest: String? {
            DatabaseBackups.files(in: folder).max { $0.date < $1.date }.map { folder + "/" + $0.name }
        }
    }

    package struct Status: Equatable, Sendable {
        package enum State: String, Sendable {
            /// Backups are switched off.
            case off
            /// None has been made yet.
            case none
            case ok
            /// The last one failed, or the last good one is more than two nights old.
            case failed
        }

        package let state: State
        /// Nil if backups are switched off.
        package let folder: String?
        /// When the newest good backup was made.
        package let lastSuccess: Date?
        /// Why the last one failed; nil after a success.
        package let failure: String?
        package let next: Date?
        package let count: Int
        /// The size of all backups.
        package let bytes: Int
    }

    /// The state of the backup folder, for commands; it knows nothing of failures.
    package static func status(_ configuration: Configuration?, at now: Date) -> Status {
        guard let configuration else {
            return Status(
                state: .off, folder: nil, lastSuccess: nil, failure: nil, next: nil, count: 0, bytes: 0)
        }
        let files = files(in: configuration.folder)
        var memory = Memory()
        memory.files = files
        memory.bytes = files.reduce(0) { $0 + fileSize(configuration.folder + "/" + $1.name) }
        return status(configuration, memory, at: now)
    }

    private static func status(_ configuration: Configuration, _ memory: Memory, at now: Date) -> Status {
        let last = last(of: memory.files, before: now)
        let isOld = last.map { now.timeIntervalSince($0) > maximumAge } ?? false
        let state: Status.State =
            memory.failure != nil || isOld ? .failed : last == nil ? Status.State.none : .ok
        return Status(
            state: state, folder: configuration.folder, lastSuccess: last, failure: memory.failure,
            next: night(after: now, hour: configuration.hour), count: memory.files.count,
            bytes: memory.bytes)
    }

    private struct Memory {
        var files: [BackupFile] = []
        var bytes = 0
        var failure: String?
        var retry = ContinuousClock.Instant.distantPast
    }

    /// In bytes, so that a backup leaves room for the database and its log.
    private static let reserve = 32 << 20
    /// In seconds: two nights and an hour.
    private static let maximumAge: TimeInterval = 49 * 3_600

    private let configuration: Configuration?
    private let maintenance: DatabaseMaintenance
    private let clock: WallClock
    private let log: Logger
    private let memory = Mutex(Memory())

    /// - Parameter configuration: nil switches backups off
    package init(
        _ configuration: Configuration?, maintenance: DatabaseMaintenance, clock: WallClock, log: Logger
    ) {
        self.configuration = configuration
        self.maintenance = maintenance
        self.clock = clock
        self.log = log
    }

    package func load() async throws { lookAtFolder() }

    /// The first one is made a minute after the start, so that it does not delay the first pages.
    package func run() async {
        guard configuration != nil else { return }
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(60))
            guard !Task.isCancelled else { return }
            await makeIfDue()
        }
    }

    package var status: Status {
        guard let configuration else { return Self.status(nil, at: clock.now()) }
        return Self.status(configuration, memory.withLock { $0 }, at: clock.now())
    }

    /// Makes a backup unless one was made since the last night. After a failure it waits an hour.
    package func makeIfDue() async {
        guard let configuration else { return }
        lookAtFolder()
        let now = clock.now()
        let (files, retry) = memory.withLock { ($0.files, $0.retry) }
        let last = Self.last(of: files, before: now) ?? .distantPast
        guard last < Self.night(before: now, hour: configuration.hour), retry <= clock.steady() else {
            return
        }
        do {
            try await make(configuration, now)
            memory.withLock { $0.failure = nil }
        } catch is CancellationError {
            return
        } catch {
            guard !Task.isCancelled else { return }
            let reason = Self.reason(error)
            log.error("The backup failed. The earlier ones are kept.", metadata: ["error": "\(reason)"])
            memory.withLock { memory in
                memory.failure = reason
                memory.retry = clock.steady() + .seconds(3_600)
            }
        }
        lookAtFolder()
    }

    private func make(_ configuration: Configuration, _ now: Date) async throws {
        let path = try Self.path(configuration, BackupFile(now), of: maintenance.database.path)
        try await maintenance.backup(to: path)
        // From here on the new copy is complete and checked.
        FolderOwner.give(path)
        log.info("A backup was made", metadata: ["file": "\(path)"])
        Self.deleteExpired(configuration, log)
    }

    /// Copies a database that is about to be migrated, and checks the copy.
    ///
    /// - Throws: `RoostError.unavailable` with the remedy if there can be no copy
    static func copy(_ database: DatabasePool, _ configuration: Configuration, log: Logger) throws {
        do {
            let path = try path(
                configuration, BackupFile(Date(), isBeforeMigration: true), of: database.path)
            let draft = try DraftCopy(of: path)
            defer { draft.discard() }
            try draft.fill(from: database)
            if let problem = try DatabaseCheck.damageNow(at: draft.file).first {
                throw RoostError.unavailable(problem)
            }
            try draft.publish()
            FolderOwner.give(path)
            log.notice("A backup was made before the migration", metadata: ["file": "\(path)"])
        } catch {
            throw RoostError.unavailable(
                """
                The database needs a migration, and the backup before it failed: \(reason(error)) Remove the cause, \
                choose another folder with --backup-folder, or migrate without a backup with --backup-folder off.
                """)
        }
    }

    private static func reason(_ error: any Error) -> String {
        (RoostError(storage: error) ?? error as? RoostError)?.message ?? "\(error)"
    }

    /// Prepares the folder for a new file. Throws `RoostError`.
    private static func path(
        _ configuration: Configuration, _ file: BackupFile, of database: String
    ) throws -> String {
        try FolderOwner.makeFolder(configuration.folder)
        let size = fileSize(database) + fileSize(LogMark.path(ofDatabaseAt: database))
        if let free = FreeSpace.bytes(in: configuration.folder), free < size + reserve {
            throw RoostError.storageFull(
                """
                \(configuration.folder) has \(free >> 20) MB free, and the backup needs \((size + reserve) >> 20) MB.
                """)
        }
        return configuration.folder + "/" + file.name
    }

    private static func fileSize(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    // MARK: The folder

    private func lookAtFolder() {
        guard let configuration else { return }
        let files = Self.files(in: configuration.folder)
        let bytes = files.reduce(0) { $0 + Self.fileSize(configuration.folder + "/" + $1.name) }
        memory.withLock { memory in
            memory.files = files
            memory.bytes = bytes
        }
    }

    private static func files(in folder: String) -> [BackupFile] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap(BackupFile.init(name:))
    }

    /// A file of a failed attempt is deleted after a day. After a copy before a migration, call it once the migration has
    /// succeeded: one that fails at every start must not push out the copy of the state before it.
    static func deleteExpired(_ configuration: Configuration, _ log: Logger) {
        let folder = configuration.folder
        var names = configuration.retention.expired(files(in: folder)).map(\.name)
        let drafts = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
            $0.hasPrefix("roost-") && $0.hasSuffix(".part")
        }
        names += drafts.filter { name in
            var status = stat()
            return stat(folder + "/" + name, &status) == 0 && time(nil) - status.st_mtim.tv_sec > 86_400
        }
        for name in names where unlink(folder + "/" + name) != 0 {
            log.warning(
                "The old backup \(folder)/\(name) cannot be deleted: \(String(cString: strerror(errno))).")
        }
    }

    // MARK: Nights

    /// Ignores the future, where files are while the clock was wrong.
    private static func last(of files: [BackupFile], before now: Date) -> Date? {
        files.filter { !$0.isBeforeMigration && !ClockSkew.isAhead($0.date, of: now) }.map(\.date).max()
    }

    private static func night(before now: Date, hour: Int) -> Date {
        night(now, hour, .backward) ?? now.addingTimeInterval(-86_400)
    }

    private static func night(after now: Date, hour: Int) -> Date {
        night(now, hour, .forward) ?? now.addingTimeInterval(86_400)
    }

    private static func night(_ now: Date, _ hour: Int, _ direction: Calendar.SearchDirection) -> Date? {
        Calendar(identifier: .gregorian).nextDate(
            after: now, matching: DateComponents(hour: hour, minute: 0, second: 0), matchingPolicy: .nextTime,
            direction: direction)
    }
}

/// The room on a file system.
package enum FreeSpace {
    /// The bytes that this user may still write in a folder, or nil if that is unknown.
    package static func bytes(in folder: String) -> Int? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        return Int(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
    }

    /// The size of a folder's file system in bytes, or nil if that is unknown.
    package static func total(in folder: String) -> Int? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        return Int(clamping: UInt64(status.f_blocks) &* UInt64(status.f_frsize))
    }
}
