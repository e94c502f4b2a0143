import Foundation
package import RoostSupport
import TextFormats

extension BookmarkFileService {
    /// Bookmarks in an export of all data; lines as in the file of bookmarks.
    package var transferPart: TransferPart {
        TransferPart("bookmarks") { reads, source, key in
            guard let user = source.user else { return TransferPage([]) }
            let bookmarks = try reads.bookmarks(after: key, limit: TransferPage.rows, of: user)
            return TransferPage(try bookmarks.map { (key: $0.id, line: try BookmarkExport.line($0)) })
        } merge: { [schedule, configuration] row in
            let (user, now) = (try row.user, row.context.now)
            let entry = try BookmarkFile.entry(ofLine: row.bytes, webURL: configuration.webURL, now: now)
            return { writes in
                let edits = BookmarkEdits(of: user, in: writes, schedule)
                let room = configuration.limit - (try writes.bookmarkCount(of: user))
                var problems: [String] = []
                let outcome = try Self.add(entry, with: edits, hasRoom: room > 0, now: now, &problems)
                let why = problems.isEmpty ? nil : problems.joined(separator: " ")
                return switch outcome {
                case .added: TransferResult(.added, why: why)
                case .updated: TransferResult(.updated, why: why)
                case .unchanged: TransferResult(.unchanged, why: why)
                case .refused(let error): .skipped(error.message)
                }
            }
        }
    }
}
