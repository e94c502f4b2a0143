import Accounts
import Foundation
import HTTPServer
import Reading
import RoostSupport
import TextFormats

/// Articles as JSON.
struct ArticlesAPI: Sendable {
    static let path = "/api/v1/articles"
    private static let pageSize = 100

    let site: WebContext
    private var reading: ReadingService { site.services.reading }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let one = Self.path + "/{id}"
        return [
            guarded.member(.get, Self.path, list),
            guarded.member(.post, Self.path, store),
            guarded.member(.get, Self.path + "/categories") {
                try await groups(reading.categories(of: $1.userId))
            },
            guarded.member(.get, Self.path + "/tags") { try await groups(reading.tags(of: $1.userId)) },
            guarded.member(.get, Self.path + "/sites") { try await groups(reading.sites(of: $1.userId)) },
            guarded.member(.get, one) { request, user in
                let item = try await reading.item(ReadingAddress.article(request), for: user.userId)
                return .response(API.json(ArticleJSON(item)))
            },
            guarded.member(.patch, one, change),
            guarded.member(.delete, one) { request, user in
                _ = try await reading.delete(ReadingAddress.article(request), by: user.userId)
                return .response(Response(status: 204))
            },
            guarded.member(.get, one + "/text", text),
            guarded.member(.post, one + "/fetch", fetch),
            guarded.member(.get, one + "/new-text", newText),
            guarded.member(.post, one + "/new-text/use") { try await chooseText($0, $1, isUsed: true) },
            guarded.member(.post, one + "/new-text/keep-old") { try await chooseText($0, $1, isUsed: false) },
            guarded.member(.post, one + "/gist", gist),
        ]
    }

    // MARK: Saving

    /// At once; the page's text, and the gist that was asked for, follow on the topic `reading`.
    private func store(_ request: Request, _ user: User) async throws -> HandlerResult {
        let body = try request.model(StoreArticleRequest.self)
        if let owner = body.userId, owner != "\(user.userId)" {
            throw RoostError.notAllowed("An article is saved to your own list: “userId” is another’s.")
        }
        let saved = try await reading.save(
            NewArticle(
                url: body.url, title: body.title.flatMap { $0.isBlank ? nil : $0 },
                category: body.category.flatMap { $0.isBlank ? nil : $0 },
                autoCreateGist: body.autoCreateGist, source: source(of: request)), by: user.userId)
        let article = saved.item.article
        let answer = try GistaServiceResponse(
            message: saved.message, linkId: "\(saved.item.id)", gistId: article.gistId,
            gistCreated: article.gistCreated ?? false)
        var response = API.json(answer, status: saved.isNew ? 201 : 200)
        response["Location"] = "\(Self.path)/\(saved.item.id)"
        return .response(response)
    }

    /// The token's name; nil for a browser.
    private func source(of request: Request) -> String? {
        guard case .bearer(_, let token) = site.visitor(of: request) else { return nil }
        return token.name.isBlank ? "token" : token.name
    }

    // MARK: Lists

    private func list(_ request: Request, _ user: User) async throws -> HandlerResult {
        let query = request.query
        func known<Value: RawRepresentable>(_ name: String, _ type: Value.Type) throws -> Value?
        where Value.RawValue == String {
            guard let text = query[name], !text.isEmpty else { return nil }
            guard let value = Value(rawValue: text) else {
                throw RoostError.invalid(field: name, why: "“\(name)” has no such value.")
            }
            return value
        }
        var filter = ReadingQuery(query).filter
        filter.list = try known("list", ArticleFilter.List.self) ?? .all
        filter.sort = try known("sort", ArticleSort.self) ?? .newest
        let limit = try request.limit(Self.pageSize, most: ReadingService.maximumPage)
        if filter.list == .suggested {
            let suggested = try await reading.suggestions(for: user.userId, limit: limit)
            return .response(API.json(API.List(suggested.map { ArticleJSON($0.item, reason: $0.reason) })))
        }
        let page = try await reading.list(
            filter, cursor: query["cursor"].flatMap { $0.isEmpty ? nil : $0 }, limit: limit, of: user.userId)
        return .response(API.json(API.List(page.items.map { ArticleJSON($0) }, next: page.next)))
    }

    private struct GroupJSON: Encodable {
        let name: String
        let count: Int
    }

    private func groups(_ groups: [ReadingGroup]) -> HandlerResult {
        .response(API.json(API.List(groups.map { GroupJSON(name: $0.name, count: $0.count) })))
    }

    // MARK: One article

    private struct ChangeRequest: Codable {
        let title, category: String?
        let tags: [String]?
        let state: ArticleState?
        let isFavorite: Bool?
        let progress: Double?
        /// As the article said when it was read: it is changed only if it still says so.
        let updatedAt: String?
    }

    private func change(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        _ = try await reading.item(id, for: user.userId)
        let body = try request.model(ChangeRequest.self)
        let change = ArticleChange(
            title: body.title, category: body.category, tags: body.tags, state: body.state,
            isFavorite: body.isFavorite, progress: body.progress)
        do {
            let item = try await reading.edit(
                id, change: change, ifUpdatedAt: ReadingAddress.updatedAt(body.updatedAt), by: user.userId)
            return .response(API.json(ArticleJSON(item)))
        } catch let error as RoostError where error.isStaleEdit {
            let current = ArticleJSON(try await reading.item(id, for: user.userId))
            return .response(API.json(EditConflictJSON(error, yours: body, current: current), status: 409))
        }
    }

    private struct TextJSON: Encodable {
        let id, url: String
        let finalUrl, title, language, html: String?
        let text: String
    }

    private func text(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        let article = try await reading.reading(id, for: user.userId)
        let body = TextJSON(
            id: "\(id)", url: article.item.article.url, finalUrl: article.finalURL,
            title: article.item.article.title, language: article.item.language,
            html: article.markup?.html, text: article.text)
        return .response(API.json(body))
    }

    private func fetch(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        try await reading.fetchAgain(id, by: user.userId)
        return .response(
            API.json(ArticleJSON(try await reading.item(id, for: user.userId)), status: 202))
    }

    private struct NewTextJSON: Encodable {
        let id, text: String
    }

    private func newText(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        guard let text = try await reading.newText(of: id, for: user.userId) else {
            throw RoostError.notFound("No new text waits for a choice.")
        }
        return .response(API.json(NewTextJSON(id: "\(id)", text: text)))
    }

    private struct ChoiceRequest: Decodable {
        /// As `newText` says: another one that has come since is not chosen.
        let fetchedAt: String?
    }

    private func chooseText(_ request: Request, _ user: User, isUsed: Bool) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        let body = request.body.isEmpty ? nil : try request.model(ChoiceRequest.self)
        let seen = try ReadingAddress.time(body?.fetchedAt, field: "fetchedAt")
        if isUsed {
            _ = try await reading.useNewText(id, ifFetchedAt: seen, by: user.userId)
        } else {
            _ = try await reading.keepText(id, ifFetchedAt: seen, by: user.userId)
        }
        return .response(API.json(ArticleJSON(try await reading.item(id, for: user.userId))))
    }

    private struct GistRequest: Decodable {
        let length: String?
        /// One that was edited is replaced only then.
        let replaceEdited: Bool?
    }

    private func gist(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        _ = try await reading.item(id, for: user.userId)
        let body =
            request.body.isEmpty
            ? GistRequest(length: nil, replaceEdited: nil)
            : try request.model(GistRequest.self)
        let made = try await site.services.gists.make(
            for: id, length: GistLengthChoice.read(body.length),
            replacingEdited: body.replaceEdited ?? false, by: user.userId)
        var response = API.json(GistJSON(made), status: 201)
        response["Location"] = "\(GistsAPI.path)/\(made.id)"
        return .response(response)
    }
}

extension Request {
    /// The body; a field that does not fit, or that a model refuses, is refused by name.
    func model<Body: Decodable>(_ type: Body.Type) throws -> Body {
        do { return try fields(type) } catch let error as ValidationError {
            throw RoostError.invalid(field: error.field, why: "“\(error.field)” \(error.why).")
        }
    }

    /// `?limit=`. Throws `RoostError.invalid` for what is no number above 0.
    func limit(_ usual: Int, most: Int) throws -> Int {
        guard let text = query["limit"], !text.isEmpty else { return usual }
        guard let limit = Int(text), limit > 0 else {
            throw RoostError.invalid(field: "limit", why: "“limit” is a whole number above 0.")
        }
        return min(limit, most)
    }
}
