import Foundation
import Synchronization
import TestSupport

@testable import HTTPClient
@testable import Reading
@testable import RoostServices
@testable import RoostSupport

/// Two readers, and web sites that a test defines: "example" hosts are on a scripted server.
final class ReadingFixture: Sendable {
    typealias Response = ScriptedUpstream.Response

    static let hosts = [
        "example.org", "www.example.org", "news.example", "blog.example", "short.example", "slow.example",
    ]

    let services: ServicesFixture
    let sites: ScriptedUpstream
    let ada, grace: UserID
    /// Options for another run that uses the same sites.
    let options: ClientConfiguration

    fileprivate init(
        _ services: ServicesFixture, sites: ScriptedUpstream, options: ClientConfiguration, ada: UserID,
        grace: UserID
    ) {
        self.options = options
        self.services = services
        self.sites = sites
        self.ada = ada
        self.grace = grace
    }

    var reading: ReadingService { services.services.reading.articles }
    var gists: GistService { services.services.reading.gists }
    var shared: SharedItemService { services.services.reading.sharedItems }
    var worker: ReadingWorker { services.services.reading.worker }
    var clock: TestClock { services.clock }

    /// Answers by "host/path"; everything else is not found.
    func serve(_ pages: [String: Response]) {
        sites.turn { request in
            pages[(request.headers["host"] ?? "") + request.target] ?? Response(status: 404)
        }
    }

    func serve(_ pages: [String: String]) { serve(pages.mapValues { Self.html($0) }) }

    static func html(_ body: String, headers: [String] = []) -> Response {
        Response(headers: ["Content-Type: text/html; charset=utf-8"] + headers, body: body)
    }

    static func redirect(to url: String) -> Response { Response(status: 302, headers: ["Location: \(url)"]) }

    /// A page with enough text to be an article; each paragraph contains the word.
    static func page(_ title: String, word: String = "lantern", head: String = "") -> String {
        let paragraphs = [
            "The harbour was quiet when the ferry came in, and the people on the quay waited with their \(word) in the cold wind of that early morning, as they had done for many years before.",
            "Nobody in the village remembers who brought the first \(word) here, but the oldest letters speak of a winter in which the river froze and the road to the north was closed for weeks.",
            "A \(word) costs little today, and yet the makers say that their work takes longer than it did, because the wood has become rare and the young people prefer to live in the city.",
            "What will become of the \(word) is an open question: the museum wants to keep a collection, while the council would rather build a new bridge where the old workshops are standing now.",
            "In the end it was the school that decided, since the children had learned to make a \(word) of their own, and on the day of the feast they carried them through the streets in a long line.",
        ]
        let text = paragraphs.map { "<p>\($0)</p>" }.joined(separator: "\n")
        return """
            <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>\(title)</title>\(head)</head>
            <body><header><nav><a href="/">Home</a></nav></header><main><article><h1>\(title)</h1>
            \(text)</article></main><footer>Imprint</footer></body></html>
            """
    }

    /// Saves a page and runs the queue until nothing is due.
    @discardableResult
    func fetched(_ url: String, by user: UserID? = nil, title: String? = nil) async throws -> ArticleItem {
        let user = user ?? ada
        let saved = try await reading.save(ArticleDraft(url: url, title: title), by: user)
        await worker.runUntilIdle()
        return try await reading.item(saved.item.id, for: user)
    }

    func urls(_ filter: ArticleFilter = ArticleFilter(), of user: UserID? = nil) async throws -> [String] {
        try await reading.list(filter, of: user ?? ada).items.map(\.url)
    }

    /// Inserts articles as already fetched.
    func fill(_ count: Int, words: String = "plain words") throws {
        try services.change(
            """
            WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count))
            INSERT INTO articles (owner_id, user_id, given_url, normalized_url, title, title_key, title_is_given,
                category, state, is_favorite, site, word_count, length_key, reverse_length_key, created_at, updated_at,
                saved_at, fetch_state)
            SELECT \(ada), \(ada), 'https://example.org/' || n, 'https://example.org/' || n, 'Title ' || n,
                'title ' || n, 0, 'Category ' || (n % 7), iif(n % 3, 'unread', 'archived'), n % 10 = 0,
                'site' || (n % 5) || '.example', n, n, n, 1700000000 + n, 1700000000 + n, 1700000000 + n,
                iif(n % 11, 'fetched', 'failed') FROM numbers;
            INSERT INTO article_texts (article_id, text, markup)
            SELECT id, '\(words) number' || id, '<p>\(words)</p>' FROM articles;
            INSERT INTO article_tags (article_id, place, user_id, tag, folded, saved_at)
            SELECT id, 0, user_id, 'Tag ' || (id % 4), 'tag ' || (id % 4), saved_at FROM articles;
            """)
    }
}

@discardableResult
func withReading<Value>(
    _ change: (inout Services.Configuration) -> Void = { _ in },
    _ body: (ReadingFixture) async throws -> Value
) async throws -> Value {
    let sites = try ScriptedUpstream { _ in .init(status: 404) }
    defer { sites.stop() }
    var options = ClientConfiguration()
    for host in ReadingFixture.hosts { options.hostMap[host] = HostTarget("127.0.0.1:\(sites.port)") }
    return try await withFolder { folder in
        let services = try ServicesFixture(in: folder, client: options) {
            $0.passwordCost = .cheap
            change(&$0)
        }
        let result: Result<Value, any Error>
        do {
            try await services.services.load()
            let ada = try await services.add("ada", .owner, displayName: "Ada").userId
            let grace = try await services.add("grace", displayName: "Grace").userId
            result = .success(
                try await body(
                    ReadingFixture(
                        services, sites: sites, options: options, ada: ada, grace: grace)))
        } catch { result = .failure(error) }
        try services.end()
        return try result.get()
    }
}
