package import RoostSupport

/// Articles as EPUBs, with the pictures that are here.
package final class ArticleEPUBService: Sendable {
    /// Of all articles together, in bytes of markup: a book is made in memory.
    private static let maximumTextBytes = 32 << 20
    private static let tooLong = RoostError.invalid(
        field: "id", why: "Together these articles are too long for one EPUB: choose fewer.")

    private let reading: ReadingService
    private let pictures: PictureCache
    private let heavyWork: HeavyWorkQueue
    private let clock: WallClock

    init(reading: ReadingService, pictures: PictureCache, heavyWork: HeavyWorkQueue, clock: WallClock) {
        self.reading = reading
        self.pictures = pictures
        self.heavyWork = heavyWork
        self.clock = clock
    }

    /// One article or several, in the order of `ids`. Throws `RoostError.notFound` for what is not the user's, and
    /// `.invalid(field: "id")` for none and for too many.
    package func epub(
        of ids: [ArticleID], for user: UserID
    ) async throws -> (bytes: [UInt8], fileName: String) {
        guard ids.count <= EPUBWriter.maximumArticles else { throw EPUBWriter.tooMany }
        let now = clock.now()
        return try await heavyWork.run(for: user) {
            var (articles, size) = ([ReadingArticle](), 0)
            for id in ids {
                try Task.checkCancellation()
                let article = try await reading.reading(id, for: user)
                size += article.markup?.html.utf8.count ?? 0
                guard size <= Self.maximumTextBytes else { throw Self.tooLong }
                articles.append(article)
            }
            let bytes = try await EPUBWriter.write(articles, at: now) { await self.picture($0) }
            return (bytes, EPUBWriter.fileName(of: articles, at: now))
        }
    }

    /// One whose address the page would have: nobody is asked for another.
    private func picture(_ address: String) async -> PictureCache.Picture? {
        let prefix = "/pictures/"
        guard address.hasPrefix(prefix) else { return nil }
        let name = String(address.dropFirst(prefix.count))
        return PictureAddress.isName(name) ? await pictures.picture(named: name) : nil
    }
}
