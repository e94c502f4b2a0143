import Accounts
import Foundation
import HTTPServer
import Reading
import RoostSupport
import RoostWeb
import TextFormats

struct ArticlesAPI: Sendable {
    static let path = "/api/v1/articles"
    private static let pageSize = 100

    let site: WebContext
    let services: ReadingServices
    private var reading: ReadingService { services.articles }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let one = Self.path + "/{id}"
        return [
            guarded.member(
                .get, Self.path,
                query: [
                    .choice("list", ArticleFilter.List.self), "category", "tag", "site", "text",
                    .choice("sort", ArticleSort.self),
                ] + Request.paging(Self.pageSize, atMost: ReadingService.maximumPage),
                api: .lists(ArticleJSON.self, "Your articles."), list),
            guarded.member(
                .post, Self.path,
                api: .makes(GistaServiceResponse.self, "Saves a page; its text follows.").taking(
                    StoreArticleRequest.self,
                    [
                        "url": .text(1...ArticleAddress.maximumEncodedLength),
                        "title": .text(atMost: ArticleRules.maximumTitleLength),
                        "category": .text(atMost: ArticleRules.maximumCategoryLength),
                    ]
                ).status(201, 200), store),
            guarded.member(
                .get, Self.path + "/categories", query: Request.paging,
                api: .lists(GroupJSON.self, "Your categories by name.")
            ) {
                try groups(reading.categories($0, of: $2.userId), $1)
            },
            guarded.member(
                .get, Self.path + "/tags", query: Request.paging,
                api: .lists(GroupJSON.self, "Your tags, the most used first.")
            ) {
                try groups(reading.tags($0, of: $2.userId), $1)
            },
            guarded.member(
                .get, Self.path + "/sites", query: Request.paging,
                api: .lists(GroupJSON.self, "The sites of your articles.")
            ) {
                try groups(reading.sites($0, of: $2.userId), $1)
            },
            guarded.member(.get, one, api: .answers(ArticleJSON.self, "One article.")) {
                reads, request, user in
                let item = try reading.item(reads, ReadingAddress.article(request), for: user.userId)
                return Self.answer(item)
            },
            guarded.member(
                .patch, one, checksVersion: true,
                api: .answers(ArticleJSON.self, "Changes an article.").taking(
                    ArticleChange.self,
                    [
                        "title": .text(atMost: ArticleRules.maximumTitleLength),
                        "category": .text(atMost: ArticleRules.maximumCategoryLength),
                        "tags": .list(
                            0...ArticleRules.maximumTags, of: .text(atMost: ArticleRules.maximumTagLength)),
                    ]), change),
            guarded.member(.delete, one, api: .does("Deletes an article with its highlights.")) {
                request, user in
                _ = try await reading.delete(ReadingAddress.article(request), by: user.userId)
                return .response(Response(status: 204))
            },
            guarded.member(
                .get, one + "/text", api: .answers(TextJSON.self, "The text of an article."), text),
            guarded.member(
                .post, one + "/fetch", api: .answers(ArticleJSON.self, "Fetches the page again.").status(202),
                fetch),
            guarded.member(
                .get, one + "/new-text", api: .answers(NewTextJSON.self, "The text that waits for a choice."),
                newText),
            guarded.member(
                .post, one + "/new-text/use",
                api: .answers(ArticleJSON.self, "Replaces the text with the waiting one.").taking(
                    ChoiceRequest.self, isRequired: false)
            ) { try await chooseText($0, $1, isUsed: true) },
            guarded.member(
                .post, one + "/new-text/keep-old",
                api: .answers(ArticleJSON.self, "Drops the waiting text.").taking(
                    ChoiceRequest.self, isRequired: false)
            ) { try await chooseText($0, $1, isUsed: false) },
            guarded.member(
                .post, one + "/gist",
                api: .makes(GistJSON.self, "Makes the gist of an article.").taking(
                    GistRequest.self, isRequired: false), gist),
        ]
    }

    // MARK: Saving

    /// Saves at once. Text and gist follow later, announced on the topic `reading`.
    private func store(_ request: Request, _ user: User) async throws -> HandlerResult {
        let body = try request.body(StoreArticleRequest.self)
        if let owner = body.userId, owner != "\(user.userId)" {
            throw RoostError.notAllowed("You can save only to your own list. “userId” is another user’s.")
        }
        let saved = try await reading.save(
            ArticleDraft(
                url: body.url, title: body.title, category: body.category,
                autoCreateGist: body.autoCreateGist, source: source(of: request)), by: user.userId)
        var response = API.json(try GistaServiceResponse(saved), status: saved.isNew ? 201 : 200)
        response["Location"] = "\(Self.path)/\(saved.item.id)"
        return .response(response)
    }

    private func source(of request: Request) -> String? {
        guard case .bearer(_, let token) = site.visitors.visitor(of: request) else { return nil }
        return token.name.isBlank ? "token" : token.name
    }

    // MARK: Lists

    private func list(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let query = request.query
        func enumValue<Value: RawRepresentable>(_ name: String, _ type: Value.Type) throws -> Value?
        where Value.RawValue == String {
            guard let text = query[name], !text.isEmpty else { return nil }
            guard let value = Value(rawValue: text) else {
                throw RoostError.invalid(field: name, why: "“\(name)” doesn’t accept this value.")
            }
            return value
        }
        var filter = ReadingQuery(query).filter
        filter.list = try enumValue("list", ArticleFilter.List.self) ?? .all
        filter.sort = try enumValue("sort", ArticleSort.self) ?? .newest
        let (limit, position) = try request.page(
            ArticlePosition.self, default: Self.pageSize, maximum: ReadingService.maximumPage)
        if filter.list == .suggested {
            let suggested = try reading.suggestions(reads, for: user.userId, limit: limit)
            return .response(API.json(Page(suggested.map { ArticleJSON($0.item, reason: $0.reason) })))
        }
        let page = try reading.list(reads, filter, after: position, limit: limit, of: user.userId)
        return .response(API.json(try Page(page.items.map { ArticleJSON($0) }, next: page.next)))
    }

    private struct GroupJSON: Codable {
        let name: String
        let count: Int
    }

    private func groups(_ groups: [ReadingGroup], _ request: Request) throws -> HandlerResult {
        let page = try request.items(of: groups, id: \.name)
        let items = page.items.map { GroupJSON(name: $0.name, count: $0.count) }
        return .response(API.json(try Page(items, next: page.next)))
    }

    // MARK: One article

    private func change(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        _ = try await reading.item(id, for: user.userId)
        let body = try request.body(ArticleChange.self)
        do {
            let item = try await reading.edit(
                id, change: body, ifUpdatedAt: ReadingAddress.editedVersion(request), by: user.userId)
            return Self.answer(item)
        } catch let error as RoostError where error.isStaleEdit {
            let current = ArticleJSON(try await reading.item(id, for: user.userId))
            return .response(
                API.json(EditConflictJSON(error, submitted: body, current: current), status: 409))
        }
    }

    private static func answer(_ item: ArticleItem) -> HandlerResult {
        .response(API.json(ArticleJSON(item), version: ReadingAddress.version(item.updatedAt)))
    }

    private struct TextJSON: Codable {
        let id, url: String
        let finalUrl, title, language, html: String?
        let text: String
        let comments: String?
    }

    private func text(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        let article = try reading.reading(reads, id, for: user.userId)
        let body = TextJSON(
            id: "\(id)", url: article.item.url, finalUrl: article.item.finalURL,
            title: article.item.title, language: article.item.language,
            html: article.markup?.html, text: article.text,
            comments: article.comments?.html)
        return .response(API.json(body))
    }

    private func fetch(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        try await reading.fetchAgain(id, by: user.userId)
        return .response(
            API.json(ArticleJSON(try await reading.item(id, for: user.userId)), status: 202))
    }

    private struct NewTextJSON: Codable {
        let id, text: String
    }

    private func newText(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        guard let text = try reading.newText(reads, of: id, for: user.userId) else {
            throw RoostError.notFound("There is no new text to choose.")
        }
        return .response(API.json(NewTextJSON(id: "\(id)", text: text)))
    }

    private struct ChoiceRequest: Decodable {
        /// From `newText`; the choice fails if another text has arrived since.
        let fetchedAt: String?
    }

    private func chooseText(_ request: Request, _ user: User, isUsed: Bool) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        let body = request.body.isEmpty ? nil : try request.body(ChoiceRequest.self)
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
        let replaceEdited: Bool?
    }

    private func gist(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        _ = try await reading.item(id, for: user.userId)
        let body =
            request.body.isEmpty
            ? GistRequest(length: nil, replaceEdited: nil)
            : try request.body(GistRequest.self)
        let created = try await services.gists.make(
            for: id, length: GistLengthChoice.read(body.length),
            replacingEdited: body.replaceEdited ?? false, by: user.userId)
        var response = API.json(GistJSON(created), status: 201)
        response["Location"] = "\(GistsAPI.path)/\(created.id)"
        return .response(response)
    }
}
