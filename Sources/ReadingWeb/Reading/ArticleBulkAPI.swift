import Accounts
import HTTPServer
import Reading
import RoostSupport
import RoostWeb
import TextFormats

/// Changes many articles at once.
struct ArticleBulkAPI: Sendable {
    private static let maximumCount = 1_000

    let services: ReadingServices

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(
                .patch, ArticlesAPI.path,
                api: .answers(CountJSON.self, "Changes up to 1,000 articles at once.").taking(
                    ChangeRequest.self,
                    [
                        "ids": .list(1...Self.maximumCount),
                        "category": .text(atMost: ArticleRules.maximumCategoryLength),
                        "addTags": .list(
                            0...ArticleRules.maximumTags, of: .text(atMost: ArticleRules.maximumTagLength)),
                    ]), change),
            guarded.member(
                .delete, ArticlesAPI.path, query: [APIParameter.texts("ids").required],
                api: .answers(CountJSON.self, "Deletes the named articles."), delete),
        ]
    }

    private struct ChangeRequest: Decodable {
        let ids: [String]
        let state: ArticleState?
        let isFavorite: Bool?
        let category: String?
        let addTags, removeTags: [String]?
    }

    private struct CountJSON: Codable {
        let count: Int
    }

    private func change(_ request: Request, _ user: User) async throws -> HandlerResult {
        let body = try request.body(ChangeRequest.self)
        let change = BulkArticleChange(
            state: body.state, isFavorite: body.isFavorite, category: body.category,
            addTags: body.addTags ?? [], removeTags: body.removeTags ?? [])
        do {
            return try await apply(change, to: body.ids, user)
        } catch RoostError.invalid("tags", let why) {
            throw RoostError.invalid(field: "addTags", why: why)
        }
    }

    private func delete(_ request: Request, _ user: User) async throws -> HandlerResult {
        let ids = (request.query["ids"] ?? "").splitBytes(at: ",").map(String.init)
        return try await apply(BulkArticleChange(delete: true), to: ids, user)
    }

    private func apply(
        _ change: BulkArticleChange, to texts: [String], _ user: User
    ) async throws -> HandlerResult {
        guard (1...Self.maximumCount).contains(texts.count) else {
            throw RoostError.invalid(field: "ids", why: "Name 1 to \(Self.maximumCount) articles.")
        }
        let ids = try texts.enumerated().map { index, text in
            guard let id = ArticleID(text), id > 0 else {
                throw RoostError.invalid(field: "ids[\(index)]", why: "This isn’t an article’s id.")
            }
            return id
        }
        let done = try await services.articles.editMany(.ids(ids), change: change, by: user.userId)
        return .response(API.json(CountJSON(count: done.count)))
    }
}
