package import Foundation
package import RoostSupport
import TextFormats

/// A user's reading list as a file, written piece by piece: nothing of it is held but what is being written.
///
/// It is the list as it stood when the export began; what is deleted meanwhile is left out.
package struct ArticleExport: Sendable {
    package enum Format: String, CaseIterable, Sendable {
        /// All there is; Roost reads it again.
        case json
        /// Addresses, titles, categories, tags and states, for browsers and other programs.
        case netscape
        /// For spreadsheets.
        case csv
    }

    /// A file of several: articles by their ids, which stay the same while the list changes.
    package struct Part: Equatable, Sendable {
        package let ids: ClosedRange<ArticleID>
        package let hasGists: Bool

        package init(ids: ClosedRange<ArticleID>, hasGists: Bool) {
            self.ids = ids
            self.hasGists = hasGists
        }
    }

    package let format: Format
    /// Whether the texts of the articles are in it; JSON alone has them.
    package let hasTexts: Bool
    package let exportedAt: Date
    /// How many articles.
    package var count: Int { ids.count }
    private let ids: [ArticleID]
    /// Whether the gists that belong to no article are in it; JSON alone has them.
    private let hasGists: Bool
    private let user: UserID
    private let store: ArticleExportStore

    /// Articles of a piece; texts are long.
    private var pageSize: Int { hasTexts ? 50 : 200 }

    init(
        _ format: Format, hasTexts: Bool, ids: [ArticleID], hasGists: Bool, of user: UserID,
        store: ArticleExportStore,
        at now: Date
    ) {
        self.format = format
        self.hasTexts = hasTexts && format == .json
        self.ids = ids
        self.hasGists = hasGists
        self.user = user
        self.store = store
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

    /// The file's bytes in their order. Iterating throws `CancellationError`, and what the database throws.
    package var pieces: Pieces { Pieces(export: self) }

    package struct Pieces: AsyncSequence, Sendable {
        fileprivate let export: ArticleExport

        package func makeAsyncIterator() -> Iterator { Iterator(export) }

        package struct Iterator: AsyncIteratorProtocol {
            private enum Part { case head, articles, gists, end, over }

            private let export: ArticleExport
            private var writer: ArticleExportWriter
            private var part = Part.head
            private var place = 0
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
                    let page = export.ids[place...].prefix(export.pageSize)
                    guard !page.isEmpty else {
                        part = export.format == .json ? .gists : .end
                        return writer.between()
                    }
                    place = page.endIndex
                    let articles = try await export.store.articles(
                        Array(page), of: export.user, withTexts: export.hasTexts)
                    return try articles.reduce(into: []) { $0 += try writer.article($1) }
                case .gists:
                    let gists =
                        export.hasGists
                        ? try await export.store.gistsAlone(of: export.user, after: lastGist, limit: 200) : []
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

    /// The whole file at once, for small ones and tests.
    package func bytes() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in pieces { bytes += piece }
        return bytes
    }
}

/// Reading lists to take along.
package final class ArticleExportService: Sendable {
    private let store: ArticleExportStore
    private let clock: WallClock

    init(store: ArticleExportStore, clock: WallClock) {
        self.store = store
        self.clock = clock
    }

    /// - Parameter withTexts: the articles' texts too, for JSON
    package func export(
        _ format: ArticleExport.Format, withTexts: Bool = false, part: ArticleExport.Part? = nil,
        of user: UserID
    ) async throws -> ArticleExport {
        let ids = try await store.ids(of: user, byCategory: format == .netscape)
        return ArticleExport(
            format, hasTexts: withTexts, ids: part.map { part in ids.filter(part.ids.contains) } ?? ids,
            hasGists: part?.hasGists ?? true, of: user, store: store, at: clock.now())
    }

    /// The files that the list is written in, so that each can be imported again; usually one.
    ///
    /// - Parameter maximumBytes: of a file; smaller in tests alone
    package func parts(
        withTexts: Bool, maximumBytes: Int = ArticleImportFile.maximumBytes * 9 / 10, of user: UserID
    ) async throws -> [ArticleExport.Part] {
        var parts: [ArticleExport.Part] = []
        var (first, bytes, rows): (ArticleID, Int, Int) = (1, 0, 0)
        for (id, size) in try await store.sizes(of: user, withTexts: withTexts) {
            if rows > 0, bytes + size > maximumBytes || rows == Self.maximumRows {
                parts.append(ArticleExport.Part(ids: first...(id - 1), hasGists: false))
                (first, bytes, rows) = (id, 0, 0)
            }
            bytes += size
            rows += 1
        }
        return parts + [ArticleExport.Part(ids: first...ArticleID.max, hasGists: true)]
    }

    /// Of a file, with room for gists that belong to no article.
    private static let maximumRows = ArticleImportFile.maximumRows / 2
}
