package import RoostSupport

/// Writes articles as EPUBs, with the pictures from the picture cache.
package final class ArticleEPUBService: Sendable {
    /// Bytes of markup in all articles together, because a book is made in memory.
    private static let maximumTextBytes = 32 << 20
    private static let tooLong = RoostError.invalid(
        field: "id", why: "These articles are too long for one EPUB. Choose fewer.")

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

    /// Returns one book of the articles in the order of `ids`. Throws `RoostError.notFound` for an article that isn't
    /// the user's, and `.invalid(field: "id")` for no articles or too many.
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

    /// Accepts only the addresses that the article's page uses, so that no other host is contacted.
    private func picture(_ address: String) async -> PictureCache.Picture? {
        let prefix = "/pictures/"
        guard address.hasPrefix(prefix) else { return nil }
        let name = String(address.dropFirst(prefix.count))
        return PictureAddress.isName(name) ? await pictures.picture(named: name) : nil
    }
}
