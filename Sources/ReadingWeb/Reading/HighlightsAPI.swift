import Accounts
import HTTPServer
import Reading
import RoostSupport
import RoostWeb

struct HighlightsAPI: Sendable {
    let site: WebContext
    let services: ReadingServices
    private var reading: ReadingService { services.articles }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let all = ArticlesAPI.path + "/{id}/highlights"
        let one = all + "/{highlight}"
        return [
            guarded.member(
                .get, all, query: Request.paging,
                api: .lists(Highlight.self, "The highlights of an article in text order.")
            ) { reads, request, user in
                let id = try ReadingAddress.article(request)
                let page = try request.items(
                    of: try reading.highlights(reads, of: id, for: user.userId), id: \.id)
                return .response(API.json(try Page(page.items, next: page.next)))
            },
            guarded.member(
                .post, all,
                api: .makes(Highlight.self, "Highlights a passage.").taking(
                    AddRequest.self,
                    [
                        "quote": .text(1...ArticleRules.maximumQuoteLength),
                        "note": .text(atMost: ArticleRules.maximumNoteLength),
                    ]), add),
            guarded.member(.get, one, api: .answers(Highlight.self, "One highlight.")) { request, user in
                let id = try ReadingAddress.article(request)
                return Self.answer(try await highlight(request.parameters["highlight"], of: id, user))
            },
            guarded.member(
                .patch, one, checksVersion: true,
                api: .answers(Highlight.self, "Changes the note.").taking(
                    ChangeRequest.self, ["note": .text(atMost: ArticleRules.maximumNoteLength)]), change),
            guarded.member(.delete, one, api: .does("Removes a highlight.")) { request, user in
                let id = try ReadingAddress.article(request)
                _ = try await reading.item(id, for: user.userId)
                _ = try await reading.deleteHighlight(
                    request.parameters["highlight"], of: id, by: user.userId)
                return .response(Response(status: 204))
            },
        ]
    }

    private struct AddRequest: Decodable {
        let start, end: Int
        let quote: String
        let before, after, note: String?
    }

    private struct ChangeRequest: Codable {
        let note: String
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        _ = try await reading.item(id, for: user.userId)
        let body = try request.body(AddRequest.self)
        let added = try await reading.addHighlight(
            NewHighlight(
                start: body.start, end: body.end, quote: body.quote, before: body.before ?? "",
                after: body.after ?? "", note: body.note ?? ""), to: id, by: user.userId)
        var response = API.json(added, status: 201)
        response["Location"] = "\(ArticlesAPI.path)/\(id)/highlights/\(added.id)"
        return .response(response)
    }

    private func change(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        let highlightID = request.parameters["highlight"]
        _ = try await highlight(highlightID, of: id, user)
        let body = try request.body(ChangeRequest.self)
        do {
            let changed = try await reading.editHighlight(
                highlightID, of: id, note: body.note, ifUpdatedAt: ReadingAddress.editedVersion(request),
                by: user.userId)
            return Self.answer(changed)
        } catch let error as RoostError where error.isStaleEdit {
            let current = try await highlight(highlightID, of: id, user)
            return .response(
                API.json(EditConflictJSON(error, submitted: body, current: current), status: 409))
        }
    }

    private static func answer(_ highlight: Highlight) -> HandlerResult {
        .response(API.json(highlight, version: ReadingAddress.version(highlight.updatedAt)))
    }

    private func highlight(_ id: String, of article: ArticleID, _ user: User) async throws -> Highlight {
        let all = try await reading.highlights(of: article, for: user.userId)
        guard let found = all.first(where: { $0.id == id }) else {
            throw RoostError.notFound("There is no such highlight.")
        }
        return found
    }
}
