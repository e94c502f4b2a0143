import Foundation

@testable import HTTPClient
@testable import Reading
@testable import RoostServices
@testable import RoostSupport
@testable import TextFormats

/// Ada's reading list with one fetched article, and Grace, who has her own list.
struct ReadingFixture {
    let testServer: TestServer
    let grace: Guest
    let id: ArticleID

    var services: Services { testServer.services }
    var ada: UserID { testServer.owner.userId }
    var path: String { "/reading/\(id)" }
    var api: String { "/api/v1/articles/\(id)" }

    static let url = "https://clocks.example/tower"
    /// The passage that tests highlight.
    static let quote = "a heavy weight & a wheel that turns slowly"

    static let html = """
        <!doctype html><html lang="en"><head><meta charset="utf-8"><title>How a tower clock keeps time</title></head>
        <body><article><h1>How a tower clock keeps time</h1>
        <p>A tower clock needs a heavy weight &amp; a wheel that turns slowly, so that its hands go round once in twelve
        hours, by day and by night, without anybody who pushes them or looks at them.</p>
        <p>The weight falls by the width of a hand each hour, and once a week somebody climbs the stairs and winds it up
        again with a crank, which takes the better part of an hour and is done on Saturdays.</p>
        <p>What keeps the wheel from running away is the pendulum: it swings, lets one tooth of the wheel pass, and is
        pushed a little by that tooth, so that it never comes to rest while the weight is falling.</p>
        </article></body></html>
        """

    static func with(_ test: (ReadingFixture) async throws -> Void) async throws {
        try await TestServer.with { testServer in
            let services = testServer.services
            let grace = try await Guest.signUp("grace", as: .member, services)
            let saved = try await services.reading.articles.save(
                ArticleDraft(url: url, html: Array(html.utf8), source: "bookmarklet"),
                by: testServer.owner.userId)
            try await eventually("the text is fetched") {
                try await services.reading.articles.item(saved.item.id, for: testServer.owner.userId)
                    .fetchState
                    == .fetched
            }
            try await test(ReadingFixture(testServer: testServer, grace: grace, id: saved.item.id))
        }
    }

    func item() async throws -> ArticleItem { try await services.reading.articles.item(id, for: ada) }

    func page(_ path: String? = nil, as guest: Guest? = nil) async throws -> String {
        try await testServer.send("GET", path ?? self.path, as: guest).text
    }

    @discardableResult
    func post(_ path: String, _ fields: [(String, String)] = [], as guest: Guest? = nil) async throws
        -> ClientResponse
    {
        let form = fields.map { "\($0.0)=\(PercentEncoding.encode($0.1))" }.joined(separator: "&")
        return try await testServer.post(path, form: form, as: guest)
    }

    /// Highlights the passage as a form without scripts does.
    @discardableResult
    func highlight(note: String = "") async throws -> Highlight {
        let answer = try await post("\(path)/highlights", [("quote", Self.quote), ("note", note)])
        guard answer.status == 303,
            let created = try await services.reading.articles.highlights(of: id, for: ada).last
        else { throw RoostError.notFound("The highlight was not made: \(answer.status).") }
        return created
    }

    /// Saves an article that cannot be fetched, because its host does not exist.
    func save(_ url: String, title: String? = nil, category: String? = nil, tags: [String] = []) async throws
        -> ArticleID
    {
        try await services.reading.articles.save(
            ArticleDraft(url: url, title: title, category: category, tags: tags), by: ada
        ).item.id
    }

    /// Follows a redirect and returns the address of its notice's undo form.
    func undo(after answer: ClientResponse) async throws -> String? {
        guard let location = answer.headers["Location"] else { return nil }
        let text = try await page(location)
        return text.firstMatch(of: #/action="(/reading/undo/[^"]*)"/#)
            .map { String($0.1).replacingOccurrences(of: "&amp;", with: "&") }
    }
}
