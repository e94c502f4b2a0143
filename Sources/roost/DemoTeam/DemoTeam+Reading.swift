import Foundation
import Reading
import RoostSupport

extension DemoTeam {
    /// The total time, in seconds, to wait for all articles to be fetched.
    private static let fetchTimeout = Duration.seconds(15)

    /// Saves the visitor's articles at their past times, without fetching them yet.
    func saveArticles(_ clock: DemoClock, now: Date) async throws {
        let visitor = try user(DemoPerson.visitor.username)
        for article in DemoLibrary.articles {
            clock.set(now - Double(article.minutesAgo) * 60)
            _ = try await services.reading.articles.save(
                ArticleDraft(
                    url: article.address, category: article.category, tags: article.tags,
                    source: "bookmarklet"), by: visitor)
        }
        for item in DemoLibrary.shared {
            clock.set(now - Double(item.minutesAgo) * 60)
            try await services.reading.sharedItems.share(
                .address(item.address, title: item.title), with: visitor, by: user(item.by))
        }
    }

    /// Waits until the articles are fetched, then applies the visitor's changes.
    func readArticles() async {
        do {
            let visitor = try user(DemoPerson.visitor.username)
            let items = try await fetchedItems(of: visitor)
            for article in DemoLibrary.articles {
                guard let item = items.first(where: { $0.url == article.address }) else { continue }
                await attempt("read") { try await read(article, item, by: visitor) }
            }
        } catch {
            log.error("The demo continues without articles", metadata: ["error": "\(error)"])
        }
    }

    private func fetchedItems(of visitor: UserID) async throws -> [ArticleItem] {
        let end = ContinuousClock.now + Self.fetchTimeout
        while true {
            let page = try await services.reading.articles.list(
                ArticleFilter(list: .all), limit: 100, of: visitor)
            if page.items.allSatisfy({ $0.fetchState != .waiting }) || .now > end { return page.items }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Logs an error instead of throwing it, so that the other steps continue.
    func attempt(_ what: String, _ work: () async throws -> Void) async {
        do { try await work() } catch {
            log.error("A step of the demo failed", metadata: ["while": "\(what)", "error": "\(error)"])
        }
    }

    private func read(_ article: DemoArticle, _ item: ArticleItem, by visitor: UserID) async throws {
        let reading = services.reading.articles
        if case .fetched = item.fetchState {
            let units = try await reading.reading(item.id, for: visitor).markup.map { MarkupText($0).units }
            let text = String(decoding: units ?? [], as: UTF16.self)
            for (quote, note) in article.highlights {
                guard let highlight = DemoText.highlight(quote, in: text, note: note) else { continue }
                _ = try await reading.addHighlight(highlight, to: item.id, by: visitor)
            }
            if article.gist != .none {
                let gist = try await services.reading.gists.make(for: item.id, by: visitor)
                if case .edited(let content) = article.gist {
                    try await services.reading.gists.edit(gist.id, content: content, by: visitor)
                }
            }
        }
        for name in article.sharedWith {
            try await services.reading.sharedItems.share(.article(item.id), with: user(name), by: visitor)
        }
        if article.change.progress != nil { try await reading.noteOpened(item.id, by: visitor) }
        try await reading.edit(item.id, change: article.change, by: visitor)
    }
}

/// Finds a passage's UTF-16 offsets in an article, as browsers count them.
enum DemoText {
    /// Returns nil if the text does not contain the passage.
    static func highlight(_ quote: String, in text: String, note: String) -> NewHighlight? {
        guard let found = text.range(of: quote) else { return nil }
        let start = text.utf16.distance(from: text.startIndex, to: found.lowerBound)
        return NewHighlight(
            start: start, end: start + quote.utf16.count, quote: quote,
            before: String(text[..<found.lowerBound].suffix(32)),
            after: String(text[found.upperBound...].prefix(32)), note: note)
    }
}
