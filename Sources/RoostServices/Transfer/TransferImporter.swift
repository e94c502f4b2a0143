import Accounts
import Foundation
import GRDB
import RoostSupport

/// Merges an export of all data into the database, a few rows at a time.
struct TransferImporter {
    /// The most rows of all files together, so that a hostile import ends in time.
    static let maximumRows = 5_000_000
    /// The longest lines are articles: their markup and text have at most 4 MB each.
    private static let maximumLine = 32 << 20
    /// Of a transaction; other writes run in between.
    private static let (batchRows, batchBytes) = (100, 1 << 20)
    /// The most broken lines of a file. With more, Roost did not write it.
    private static let maximumBroken = 1_000

    let parts: [TransferPart]
    let database: RoostSupport.Database
    let heavyWork: HeavyWorkQueue
    let context: TransferContext
    let progress: TransferProgress
    let checkRoom: @Sendable () throws -> Void
    let report: @Sendable (TransferReport.Row) -> Void

    /// The folders in the zip, and whose they are.
    let folders: [(folder: String, owner: UserID)]
    /// Nil for a whole server.
    let owner: UserID?

    func run(_ reader: ZipFileReader) async throws -> TransferReport {
        var report = TransferReport()
        for part in parts {
            if part.isShared {
                try await read(part, in: TransferManifest.sharedFolder, of: owner, reader, &report)
            } else {
                for (folder, owner) in folders {
                    try await read(part, in: folder, of: owner, reader, &report)
                }
            }
        }
        return report
    }

    private func read(
        _ part: TransferPart, in folder: String, of owner: UserID?, _ reader: ZipFileReader,
        _ report: inout TransferReport
    ) async throws {
        let file = "\(folder)/\(part.fileName)"
        try progress.begin(file)
        guard let lines = try reader.lines(of: file, maximumBytes: Self.maximumLine) else { return }
        var (batch, bytes, number, broken): ([TransferRow], Int, Int, Int) = ([], 0, 0, 0)
        while let line = try lines.next() {
            number += 1
            guard progress.rows + batch.count < Self.maximumRows else {
                throw RoostError.file("The file has more than 5,000,000 rows.")
            }
            let content = try content(of: part, line, in: folder, reader)
            batch.append(
                TransferRow(number: number, bytes: line, content: content, owner: owner, context: context))
            bytes += line.count + (content?.count ?? 0)
            if batch.count == Self.batchRows || bytes > Self.batchBytes {
                broken += try await merge(batch, of: part, file, &report)
                (batch, bytes) = ([], 0)
                guard broken < Self.maximumBroken else {
                    throw RoostError.file(
                        "“\(file)” has 1,000 lines that are empty or not JSON objects, so it is broken."
                    )
                }
            }
        }
        if !batch.isEmpty { _ = try await merge(batch, of: part, file, &report) }
    }

    private struct Path: Decodable {
        let path: String?
    }

    /// The file that a row names. A missing or broken one is reported with the row.
    private func content(
        of part: TransferPart, _ line: [UInt8], in folder: String, _ reader: ZipFileReader
    ) throws -> [UInt8]? {
        guard let files = part.files, line.count <= 4 << 20 else { return nil }
        let row = TransferRow(number: 0, bytes: line, owner: nil, context: context)
        guard let path = try? row.decode(Path.self).path else { return nil }
        return try? reader.content(of: "\(folder)/\(path)", maximumBytes: files.maximumBytes)
    }

    private typealias Merge = @Sendable (Writes) throws -> TransferResult

    /// Returns how many of the rows are empty or not JSON objects.
    private func merge(
        _ rows: [TransferRow], of part: TransferPart, _ file: String, _ report: inout TransferReport
    ) async throws -> Int {
        // Cleaning articles takes some milliseconds each.
        let (merges, broken) = try await heavyWork.run(for: owner ?? 0) {
            var (merges, broken): ([Merge], Int) = ([], 0)
            for row in rows {
                do {
                    guard !row.bytes.isEmpty else { throw RoostError.file("This line is empty.") }
                    merges.append(try part.merge(row))
                } catch {
                    let why = Self.reason(error)
                    merges.append { _ in .skipped(why) }
                    if (try? row.decode(Path.self)) == nil { broken += 1 }
                }
            }
            return (merges, broken)
        }
        try checkRoom()
        let results = try await database.write { writes in
            try merges.map { try Self.result(of: $0, in: writes) }
        }
        for (row, result) in zip(rows, results) {
            let row = TransferReport.Row(file: file, line: row.number, result: result)
            report.note(row, of: part.name)
            self.report(row)
        }
        try progress.add(rows.count)
        return broken
    }

    /// Merges a row completely or not at all. Throws what concerns all rows, such as a full disk.
    private static func result(of merge: Merge, in writes: Writes) throws -> TransferResult {
        var result = TransferResult.unchanged
        do {
            try writes.database.inSavepoint {
                result = try merge(writes)
                return .commit
            }
            return result
        } catch let error as DatabaseError {
            guard [ResultCode.SQLITE_CONSTRAINT, .SQLITE_TOOBIG, .SQLITE_MISMATCH].contains(error.resultCode)
            else { throw error }
            return .skipped(RoostError.unsavableRow.message)
        } catch {
            return .skipped(reason(error))
        }
    }

    private static func reason(_ error: any Error) -> String {
        (error as? RoostError)?.message ?? "This row has an invalid value."
    }
}
