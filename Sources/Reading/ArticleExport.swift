package import Foundation
package import RoostSupport
import TextFormats

/// A user's reading list as a file, written in chunks to save memory. The ids are read when the export begins;
/// articles deleted after that are left out.
package struct ArticleExport: Sendable {
    package enum Format: String, CaseIterable, Sendable {
        /// Everything; Roost can import it.
        case json
        case netscape
        case csv
    }

    /// One of several files: a range of article ids, which does not shift while the list changes.
    package struct Part: Equatable, Sendable {
        package let ids: ClosedRange<ArticleID>
        package let hasGists: Bool

        package init(ids: ClosedRange<ArticleID>, hasGists: Bool) {
            self.ids = ids
            self.hasGists = hasGists
        }
    }

    package let format: Format
    /// Whether the articles' texts are included (JSON only).
    package let hasTexts: Bool
    package let exportedAt: Date
    package var count: Int { ids.count }
    private let ids: [ArticleID]
    private let hasGists: Bool
    private let user: UserID
    let database: Database

    private var pageSize: Int { hasTexts ? 50 : 200 }

    init(
        _ format: Format, hasTexts: Bool, ids: [ArticleID], hasGists: Bool, of user: UserID,
        database: Database, at now: Date
    ) {
        self.format = format
        self.hasTexts = hasTexts && format == .json
        self.ids = ids
        self.hasGists = hasGists
        self.user = user
        self.database = database
        exportedAt = now
    }

    package var mediaType: String {
        switch format {
        case .json: "application/json"
        case .netscape: "text/html; charset=utf-8"
        case .csv: "text/csv; charset=utf-8"
        }
    }

    /// "reading-list-2026-11-23.json"
    package var fileName: String {
        let day = ISO8601.seconds(exportedAt).prefix("2026-11-23".count)
        return "reading-list-\(day).\(format == .netscape ? "html" : format.rawValue)"
    }

    /// The file's bytes in order. Iterating throws `CancellationError` and database errors.
    package var chunks: Chunks { Chunks(export: self) }

    package struct Chunks: AsyncSequence, Sendable {
        fileprivate let export: ArticleExport

        package func makeAsyncIterator() -> Iterator { Iterator(export) }

        package struct Iterator: AsyncIteratorProtocol {
            private enum Part { case head, articles, gists, end, over }

            private let export: ArticleExport
            private var writer: ArticleExportWriter
            private var part = Part.head
            private var nextIndex = 0
            private var lastGist: GistID = 0

            fileprivate init(_ export: ArticleExport) {
                self.export = export
                writer = ArticleExportWriter(export.format)
            }

            package mutating func next() async throws -> [UInt8]? {
                try Task.checkCancellation()
                switch part {
                case .head:
                    part = .articles
                    return writer.head(at: export.exportedAt)
                case .articles:
                    let page = export.ids[nextIndex...].prefix(export.pageSize)
                    guard !page.isEmpty else {
                        part = export.format == .json ? .gists : .end
                        return writer.startGists()
                    }
                    nextIndex = page.endIndex
                    let articles = try await export.database.read { [export] reads in
                        try reads.exportedArticles(
                            Array(page), of: export.user, withTexts: export.hasTexts)
                    }
                    return try articles.reduce(into: []) { $0 += try writer.article($1) }
                case .gists:
                    let gists =
                        try await export.hasGists
                        ? export.database.read { [export, lastGist] reads in
                            try reads.standaloneGists(of: export.user, after: lastGist, limit: 200)
                        } : []
                    guard let last = gists.last else {
                        part = .end
                        return []
                    }
                    lastGist = last.id
                    return try gists.reduce(into: []) { $0 += try writer.gist($1.gist) }
                case .end:
                    part = .over
                    return writer.end()
                case .over: return nil
                }
            }
        }
    }

    package func bytes() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await chunk in chunks { bytes += chunk }
        return bytes
    }
}

package final class ArticleExportService: Sendable {
    let database: Database
    private let clock: WallClock

    init(database: Database, clock: WallClock) {
        self.database = database
        self.clock = clock
    }

    package func export(
        _ format: ArticleExport.Format, withTexts: Bool = false, part: ArticleExport.Part? = nil,
        of user: UserID
    ) async throws -> ArticleExport {
        let ids = try await database.read {
            try $0.exportedArticleIDs(of: user, byCategory: format == .netscape)
        }
        return ArticleExport(
            format, hasTexts: withTexts, ids: part.map { part in ids.filter(part.ids.contains) } ?? ids,
            hasGists: part?.hasGists ?? true, of: user, database: database, at: clock.now())
    }

    /// Returns the parts to write the list in, each small enough to be imported again; usually one.
    ///
    /// - Parameter maximumBytes: per file; only tests pass a smaller one
    package func parts(
        _ reads: Reads, withTexts: Bool, maximumBytes: Int = ArticleImportFile.rules.maximumBytes * 9 / 10,
        of user: UserID
    ) throws -> [ArticleExport.Part] {
        var parts: [ArticleExport.Part] = []
        var (first, bytes, rows): (ArticleID, Int, Int) = (1, 0, 0)
        let sizes = try reads.exportSizes(of: user, withTexts: withTexts)
        for (id, size) in sizes {
            if rows > 0, bytes + size > maximumBytes || rows == Self.maximumRows {
                parts.append(ArticleExport.Part(ids: first...(id - 1), hasGists: false))
                (first, bytes, rows) = (id, 0, 0)
            }
            bytes += size
            rows += 1
        }
        return parts + [ArticleExport.Part(ids: first...ArticleID.max, hasGists: true)]
    }

    /// Per file; leaves room for gists without an article.
    private static let maximumRows = ArticleImportFile.rules.maximumRows / 2
}
