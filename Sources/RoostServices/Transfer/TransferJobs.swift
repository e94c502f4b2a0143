package import Foundation
import Logging
package import RoostSupport
import Synchronization

/// "All my data" in the settings: one export and one import of each user at a time, in the background.
///
/// Files are in `DATA/transfers/USER`, of mode 0600: the last export and an upload, each for a day.
package final class TransferJobs: Service {
    package struct Export: Equatable, Sendable {
        package let path: String
        /// In bytes.
        package let size: Int
        package let madeAt: Date

        package var expiresAt: Date { madeAt + TransferJobs.lifetime }
    }

    package enum ExportState: Sendable {
        case none
        case running(rows: Int)
        case ready(Export)
        case failed(String)
    }

    package enum ImportState: Sendable {
        case none
        /// Rows so far, and those in the file if it says so.
        case running(rows: Int, total: Int)
        case done(TransferReport)
        case failed(String)
    }

    package enum Kind: Hashable, Sendable { case export, upload }

    private struct Job: Hashable {
        let user: UserID
        let kind: Kind
    }

    private struct State {
        /// Users whose uploads are being looked at, before their imports are queued.
        var starting: Set<UserID> = []
        var queued: [Job] = []
        var running: [Job: TransferProgress] = [:]
        var totals: [UserID: Int] = [:]
        var failures: [Job: String] = [:]
        var reports: [UserID: TransferReport] = [:]
    }

    /// In seconds.
    static let lifetime: TimeInterval = 86_400
    /// The most that one request uploads, in bytes.
    package static let sliceBytes = 8 << 20
    /// The most that a member's upload may unpack to.
    private static let limits = {
        var limits = ZipFileReader.Limits()
        limits.maximum = 8 << 30
        return limits
    }()
    /// The size of the report of an import, in bytes.
    private static let reportBytes = 20 << 20
    /// The largest file that can be uploaded, in bytes.
    static let uploadBytes = 2 << 30
    /// At the same time, for all users together.
    private static let maximumRunning = 2

    private let transfer: TransferService
    private let folder: String
    private let databasePath: String
    private let publisher: ThrottledPublisher
    private let clock: WallClock
    private let log: Logger
    private let signal = AsyncSignal()
    private let state = Mutex(State())

    init(
        _ transfer: TransferService, dataFolder: String, feed: ChangeFeed, clock: WallClock, log: Logger
    ) {
        self.transfer = transfer
        folder = Self.folder(in: dataFolder)
        databasePath = Services.databasePath(in: dataFolder)
        publisher = ThrottledPublisher(feed: feed)
        self.clock = clock
        self.log = log
    }

    static func folder(in dataFolder: String) -> String { dataFolder + "/transfers" }

    private func path(_ name: String, of user: UserID) -> String { "\(folder)/\(user)/\(name)" }
    private func exportPath(of user: UserID) -> String { path("all-my-data.zip", of: user) }
    private func uploadPath(of user: UserID) -> String { path("upload.zip", of: user) }

    private func publish(_ user: UserID) { publisher.publish([Topic.transfer(user)]) }

    // MARK: Exports

    package func exportState(of user: UserID) -> ExportState {
        let job = Job(user: user, kind: .export)
        let (progress, isQueued, failure) = state.withLock {
            ($0.running[job], $0.queued.contains(job), $0.failures[job])
        }
        if let progress { return .running(rows: progress.rows) }
        if isQueued { return .running(rows: 0) }
        if let failure { return .failed(failure) }
        return export(of: user).map { .ready($0) } ?? .none
    }

    /// The last export, for a day.
    package func export(of user: UserID) -> Export? {
        var status = stat()
        let path = exportPath(of: user)
        guard stat(path, &status) == 0 else { return nil }
        let export = Export(
            path: path, size: Int(status.st_size),
            madeAt: Date(timeIntervalSince1970: TimeInterval(status.st_mtim.tv_sec)))
        return export.expiresAt > clock.now() ? export : nil
    }

    /// Begins an export, which replaces the last one. Throws `RoostError.storageFull` if the disk is too full.
    package func startExport(for user: UserID) throws {
        try checkRoom(for: databaseBytes)
        try start(Job(user: user, kind: .export))
    }

    package func cancel(_ kind: Kind, of user: UserID) {
        let job = Job(user: user, kind: kind)
        state.withLock { state in
            state.queued.removeAll { $0 == job }
            state.running[job]?.cancel()
        }
        publish(user)
    }

    package func deleteExport(of user: UserID) {
        unlink(exportPath(of: user))
        state.withLock { $0.failures[Job(user: user, kind: .export)] = nil }
        publish(user)
    }

    // MARK: Uploads and imports

    package func importState(of user: UserID) -> ImportState {
        let job = Job(user: user, kind: .upload)
        return state.withLock { state in
            if let progress = state.running[job] {
                return .running(rows: progress.rows, total: state.totals[user] ?? 0)
            }
            if state.starting.contains(user) || state.queued.contains(job) {
                return .running(rows: 0, total: 0)
            }
            if let failure = state.failures[job] { return .failed(failure) }
            return state.reports[user].map { .done($0) } ?? .none
        }
    }

    /// How much of an upload is here, in bytes.
    package func received(by user: UserID) -> Int {
        var status = stat()
        return stat(uploadPath(of: user), &status) == 0 ? Int(status.st_size) : 0
    }

    /// Adds a slice of a file, at the end of what is here, and returns how much is here then. A slice of another place
    /// adds nothing; the first one replaces an earlier upload.
    ///
    /// Throws `RoostError.conflict` during an import, `.invalid(field: "file")` for a file that is too large, and
    /// `.storageFull` if the disk is too full.
    package func receive(_ bytes: [UInt8], at offset: Int, from user: UserID) throws -> Int {
        try refuseDuringImport(user)
        try checkRoom(for: bytes.count)
        try makeFolder(of: user)
        let path = uploadPath(of: user)
        if offset == 0 { unlink(path) }
        guard received(by: user) == offset else { return received(by: user) }
        guard bytes.count <= Self.uploadBytes - offset else {
            unlink(path)
            throw RoostError.file(
                "The file is larger than 2 GB. Only the command “roost import” can read it.")
        }
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.unwritable }
        defer { close(file) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.unwritable }
            rest = rest.dropFirst(count)
        }
        return offset + bytes.count
    }

    /// Imports the uploaded file, and deletes it. Throws `RoostError.invalid(field: "file")` if it isn't an export of
    /// all data.
    package func startImport(for user: UserID) async throws {
        // Before the file is opened, which takes time and memory: several requests at once open it once.
        let job = Job(user: user, kind: .upload)
        let isFirst = state.withLock { state in
            state.running[job] == nil && !state.queued.contains(job) && state.starting.insert(user).inserted
        }
        guard isFirst else { throw Self.importRuns }
        defer { state.withLock { _ = $0.starting.remove(user) } }
        let path = uploadPath(of: user)
        let manifest: TransferManifest
        do {
            manifest = try await DetachedThread.run { try TransferService.manifest(ofFileAt: path) }
        } catch {
            unlink(path)
            throw error
        }
        let total = manifest.counts.values.reduce(0) { min($0 + min(max($1, 0), 1 << 40), 1 << 40) }
        state.withLock { state in
            state.totals[user] = total
            state.reports[user] = nil
        }
        try start(job)
    }

    package func forgetImport(of user: UserID) {
        state.withLock { state in
            state.reports[user] = nil
            state.failures[Job(user: user, kind: .upload)] = nil
        }
        publish(user)
    }

    /// A CSV file with what became of each row of the last import; there may be none.
    package func reportPath(of user: UserID) -> String { path("report.csv", of: user) }

    private func refuseDuringImport(_ user: UserID) throws {
        if case .running = importState(of: user) { throw Self.importRuns }
    }

    private static let importRuns = RoostError.conflict(
        field: "file", why: "An import is running. Wait for it to finish.")

    // MARK: Running

    private static let unwritable = RoostError.storageFull("The disk is full or can’t be written.")

    private func start(_ job: Job) throws {
        try makeFolder(of: job.user)
        state.withLock { state in
            guard state.running[job] == nil, !state.queued.contains(job) else { return }
            state.failures[job] = nil
            state.queued.append(job)
        }
        publish(job.user)
        signal.fire()
    }

    private func makeFolder(of user: UserID) throws {
        for path in [folder, "\(folder)/\(user)"] {
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Self.unwritable }
        }
    }

    /// In bytes, without the log.
    private var databaseBytes: Int {
        var status = stat()
        return stat(databasePath, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Throws `RoostError.storageFull` if the disk would have less than the reserve left.
    private func checkRoom(for bytes: Int) throws {
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

    package func load() async throws { deleteExpired() }

    /// Runs jobs and deletes what has expired, until it is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.publisher.run() }
            group.addTask {
                while !Task.isCancelled {
                    try? await Task.sleep(for: .seconds(600))
                    self.deleteExpired()
                }
            }
            for _ in 0..<Self.maximumRunning {
                group.addTask {
                    while !Task.isCancelled {
                        await self.runQueued()
                        await self.signal.wait()
                    }
                }
            }
        }
    }

    /// Runs the jobs that are queued; tests call it in place of `run`.
    func runQueued() async {
        while let (job, progress) = next() {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    while !Task.isCancelled {
                        try? await Task.sleep(for: .seconds(1))
                        self.publish(job.user)
                    }
                }
                await perform(job, progress)
                group.cancelAll()
            }
        }
    }

    private func next() -> (Job, TransferProgress)? {
        state.withLock { state in
            guard !state.queued.isEmpty else { return nil }
            let (job, progress) = (state.queued.removeFirst(), TransferProgress())
            state.running[job] = progress
            // The other worker may take the next one.
            if !state.queued.isEmpty { signal.fire() }
            return (job, progress)
        }
    }

    private func perform(_ job: Job, _ progress: TransferProgress) async {
        var failure: String?
        do {
            switch job.kind {
            case .export:
                unlink(exportPath(of: job.user))
                _ = try await transfer.export(of: job.user, to: exportPath(of: job.user), progress: progress)
            case .upload: try await importUpload(of: job.user, progress)
            }
        } catch is CancellationError {
            failure = job.kind == .export ? "Stopped." : "Stopped. The rows imported so far stay."
        } catch let error as RoostError {
            failure = error.message
        } catch {
            log.error("A transfer failed", metadata: ["error": "\(error)"])
            failure = "Something went wrong in Roost. Try again in a moment."
        }
        state.withLock { [failure] state in
            state.running[job] = nil
            state.failures[job] = failure
        }
        publish(job.user)
    }

    private func importUpload(of user: UserID, _ progress: TransferProgress) async throws {
        let path = uploadPath(of: user)
        defer { unlink(path) }
        unlink(reportPath(of: user))
        let rows = TransferReportFile(path: reportPath(of: user), maximumBytes: Self.reportBytes)
        defer { rows?.finish() }
        let report = try await withTaskCancellationHandler {
            try await transfer.importFile(
                at: path, for: user, limits: Self.limits, progress: progress, report: { rows?.add($0) },
                checkRoom: { try self.checkRoom(for: 0) })
        } onCancel: {
            progress.cancel()
        }
        state.withLock { $0.reports[user] = report }
    }

    /// Deletes files of more than a day.
    private func deleteExpired() {
        let manager = FileManager.default
        for user in (try? manager.contentsOfDirectory(atPath: folder)) ?? [] {
            for name in (try? manager.contentsOfDirectory(atPath: "\(folder)/\(user)")) ?? [] {
                var status = stat()
                let path = "\(folder)/\(user)/\(name)"
                guard stat(path, &status) == 0 else { continue }
                let changedAt = Date(timeIntervalSince1970: TimeInterval(status.st_mtim.tv_sec))
                if changedAt + Self.lifetime < clock.now() { unlink(path) }
            }
            rmdir("\(folder)/\(user)")
        }
    }
}

/// The files of exports and uploads, which go with their user.
struct TransferFolder: Service {
    let path: String

    func forget(_ user: UserID) { try? FileManager.default.removeItem(atPath: "\(path)/\(user)") }
}

extension Topic {
    /// The progress of a user's export and import.
    package static func transfer(_ user: UserID) -> String { "transfer/\(user)" }
}
