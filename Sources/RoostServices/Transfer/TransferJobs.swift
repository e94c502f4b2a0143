package import Foundation
import Logging
package import RoostSupport
import Synchronization

/// "All my data" in the settings: one export and one import of each user at a time, in the background.
package final class TransferJobs: Service {
    package struct Export: Equatable, Sendable {
        package let path: String
        /// In bytes.
        package let size: Int
        package let madeAt: Date

        package var expiresAt: Date { madeAt + TransferFolder.lifetime }
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
        /// Users of whose uploads a slice is being written.
        var receiving: Set<UserID> = []
        var queued: [Job] = []
        var running: [Job: TransferProgress] = [:]
        var totals: [UserID: Int] = [:]
        var failures: [Job: String] = [:]
        var reports: [UserID: TransferReport] = [:]

        func isImporting(_ user: UserID) -> Bool {
            let job = Job(user: user, kind: .upload)
            return starting.contains(user) || queued.contains(job) || running[job] != nil
        }
    }

    /// The most that one request uploads, in bytes.
    package static let sliceBytes = 8 << 20
    /// The most that a member's upload may unpack to.
    private static let limits = {
        var limits = ZipFileReader.Limits()
        limits.maximum = 8 << 30
        return limits
    }()
    /// The size of the report of an import, in bytes.
    package static let reportBytes = 20 << 20
    /// The largest file that can be uploaded, in bytes.
    static let uploadBytes = 2 << 30
    /// At the same time, for all users together.
    private static let maximumRunning = 2

    private let transfer: TransferService
    private let folder: TransferFolder
    private let publisher: ThrottledPublisher
    private let clock: WallClock
    private let log: Logger
    private let signal = AsyncSignal()
    private let state = Mutex(State())

    init(
        _ transfer: TransferService, folder: TransferFolder, feed: ChangeFeed, clock: WallClock, log: Logger
    ) {
        self.transfer = transfer
        self.folder = folder
        publisher = ThrottledPublisher(feed: feed)
        self.clock = clock
        self.log = log
    }

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
        let path = folder.export(of: user)
        guard let status = TransferFolder.status(ofFileAt: path) else { return nil }
        let export = Export(path: path, size: status.size, madeAt: status.changedAt)
        return export.expiresAt > clock.now() ? export : nil
    }

    /// Begins an export, which replaces the last one. Throws `RoostError.storageFull` if the disk is too full.
    package func startExport(for user: UserID) throws {
        try folder.checkRoom(for: folder.databaseBytes)
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
        unlink(folder.export(of: user))
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
            if state.isImporting(user) { return .running(rows: 0, total: 0) }
            if let failure = state.failures[job] { return .failed(failure) }
            return state.reports[user].map { .done($0) } ?? .none
        }
    }

    /// How much of an upload is here, in bytes.
    package func received(by user: UserID) -> Int {
        TransferFolder.status(ofFileAt: folder.upload(of: user))?.size ?? 0
    }

    /// Adds a slice of a file, at the end of what is here, and returns how much is here then. A slice of another place
    /// adds nothing; the first one replaces an earlier upload.
    ///
    /// Throws `RoostError.conflict` during an import or while another slice is being written,
    /// `.invalid(field: "file")` for a file that is too large, and `.storageFull` if the disk is too full.
    package func receive(_ bytes: [UInt8], at offset: Int, from user: UserID) throws -> Int {
        // Two slices of the same place, for instance from a client that repeats a request, would both be appended.
        try reserveUpload(of: user) { _ = $0.receiving.insert(user) }
        defer { state.withLock { _ = $0.receiving.remove(user) } }
        try folder.checkRoom(for: bytes.count)
        try folder.make(for: user)
        let path = folder.upload(of: user)
        if offset == 0 { unlink(path) }
        let received = received(by: user)
        guard received == offset else { return received }
        guard bytes.count <= Self.uploadBytes - offset else {
            unlink(path)
            throw RoostError.file(
                "The file is larger than 2 GB. Only the command “roost import” can read it.")
        }
        try folder.append(bytes, toUploadOf: user)
        return offset + bytes.count
    }

    /// Imports the uploaded file, and deletes it. Throws `RoostError.invalid(field: "file")` if it isn't an export of
    /// all data.
    package func startImport(for user: UserID) async throws {
        // Before the file is opened, which takes time and memory: several requests at once open it once.
        try reserveUpload(of: user) { _ = $0.starting.insert(user) }
        defer { state.withLock { _ = $0.starting.remove(user) } }
        let path = folder.upload(of: user)
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
        try start(Job(user: user, kind: .upload))
    }

    package func forgetImport(of user: UserID) {
        state.withLock { state in
            state.reports[user] = nil
            state.failures[Job(user: user, kind: .upload)] = nil
        }
        publish(user)
    }

    /// A CSV file with what became of each row of the last import; there may be none.
    package func reportPath(of user: UserID) -> String { folder.report(of: user) }

    /// Throws `RoostError.conflict` if the file of an upload is in use.
    private func reserveUpload(of user: UserID, _ reserve: (inout State) -> Void) throws {
        try state.withLock { state in
            guard !state.isImporting(user) else {
                throw RoostError.conflict(
                    field: "file", why: "An import is running. Wait for it to finish.")
            }
            guard !state.receiving.contains(user) else {
                throw RoostError.conflict(
                    field: "file", why: "Another part of your upload is being saved. Try again in a moment.")
            }
            reserve(&state)
        }
    }

    // MARK: Running

    private func start(_ job: Job) throws {
        try folder.make(for: job.user)
        state.withLock { state in
            guard state.running[job] == nil, !state.queued.contains(job) else { return }
            state.failures[job] = nil
            state.queued.append(job)
        }
        publish(job.user)
        signal.fire()
    }

    package func load() async throws { folder.deleteExpired(at: clock.now()) }

    /// Runs jobs and deletes what has expired, until it is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.publisher.run() }
            group.addTask {
                while !Task.isCancelled {
                    try? await Task.sleep(for: .seconds(600))
                    self.folder.deleteExpired(at: self.clock.now())
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
                let path = folder.export(of: job.user)
                unlink(path)
                _ = try await transfer.export(of: job.user, to: path, progress: progress)
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
        let path = folder.upload(of: user)
        defer { unlink(path) }
        let reportPath = folder.report(of: user)
        unlink(reportPath)
        let rows = TransferReportFile(path: reportPath, maximumBytes: Self.reportBytes)
        var isComplete: Bool?
        defer { if isComplete == nil { rows?.finish() } }
        var report = try await withTaskCancellationHandler {
            try await transfer.importFile(
                at: path, for: user, limits: Self.limits, progress: progress, report: { rows?.add($0) },
                checkRoom: { try self.folder.checkRoom(for: 0) })
        } onCancel: {
            progress.cancel()
        }
        isComplete = rows?.finish()
        report.file = isComplete.map { $0 ? .complete : .cut } ?? .missing
        state.withLock { [report] in $0.reports[user] = report }
    }
}

extension Topic {
    /// The progress of a user's export and import.
    package static func transfer(_ user: UserID) -> String { "transfer/\(user)" }
}
