import Accounts
import GitHub
import HTTPServer
import RoostSupport
import RoostWeb

struct PullSectionsController: Sendable {
    let site: WebContext
    let services: GitHubServices

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(.get, "/pulls/sections", page),
            guarded.member(.post, "/pulls/sections", add),
            guarded.member(.post, "/pulls/sections/{id}", change),
            guarded.member(.post, "/pulls/sections/{id}/move", move),
            guarded.member(.post, "/pulls/sections/{id}/remove", remove),
        ]
    }

    private func page(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        .response(site.html(try pageView(reads, request, user)))
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        do {
            _ = try await services.pulls.addSection(
                name: form["name"] ?? "", query: form["query"] ?? "", for: user.userId)
            return redirect(showing: "Section added.", to: user)
        } catch {
            let refused = try FormError(error, form, keeping: ["name", "query"])
            return refused.answer(
                try await site.html { try pageView($0, request, user, refused: .new(refused.form)) })
        }
    }

    private func change(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let id = try Self.id(request)
        do {
            try await services.pulls.changeSection(
                id, name: form["name"] ?? "", query: form["query"] ?? "", for: user.userId)
            return redirect(showing: "Saved.", to: user)
        } catch {
            let refused = try FormError(error, form, keeping: ["name", "query"])
            return refused.answer(
                try await site.html { try pageView($0, request, user, refused: .own(id, refused.form)) })
        }
    }

    private func move(_ request: Request, _ user: User) async throws -> HandlerResult {
        guard let offset = ["up": -1, "down": 1][try request.form()["direction"] ?? ""] else {
            throw RoostError.invalid(field: "direction", why: "Must be “up” or “down”.")
        }
        try await services.pulls.moveSection(Self.id(request), by: offset, for: user.userId)
        return .response(.redirect(to: "/pulls/sections"))
    }

    private func remove(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await services.pulls.removeSection(Self.id(request), of: user.userId)
        return redirect(showing: "Section removed.", to: user)
    }

    func redirect(showing text: String, to user: User) -> HandlerResult {
        site.redirect(to: "/pulls/sections", showing: NoticeView(text: text), to: user)
    }

    func pageView(
        _ reads: Reads, _ request: Request, _ user: User, refused: PullSectionsView.Refused = .nothing
    ) throws -> PullSectionsView {
        let layout = try site.layout(reads, for: user, request, currentEntry: "/pulls")
        let settings = try services.pulls.settings(reads, of: user.userId)
        return PullSectionsView(
            layout: layout, sections: settings.sections, choices: settings.choices, refused: refused)
    }

    private static func id(_ request: Request) throws -> Int64 {
        guard let id = Int64(request.parameters["id"]) else {
            throw RoostError.notFound("There is no such section.")
        }
        return id
    }
}
