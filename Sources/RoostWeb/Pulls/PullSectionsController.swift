import Accounts
import HTTPServer
import RoostSupport

/// `/pulls/sections`: where one's own sections and the thresholds are looked after.
struct PullSectionsController: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(.get, "/pulls/sections", page),
            guarded.member(.post, "/pulls/sections", add),
            guarded.member(.post, "/pulls/sections/{id}", change),
            guarded.member(.post, "/pulls/sections/{id}/move", move),
            guarded.member(.post, "/pulls/sections/{id}/remove", remove),
        ]
    }

    private func page(_ request: Request, _ user: User) async throws -> HandlerResult {
        .response(try await shown(request, user))
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        do {
            _ = try await site.services.pulls.addSection(
                name: form["name"] ?? "", query: form["query"] ?? "", for: user.userId)
            return done("The section is in your inbox now.", user)
        } catch {
            let refused = try FormError(error, form, keeping: ["name", "query"])
            return refused.answer(
                try await shown(request, user, refused: .new(refused.form), status: refused.status))
        }
    }

    private func change(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let id = try Self.id(request)
        do {
            try await site.services.pulls.changeSection(
                id, name: form["name"] ?? "", query: form["query"] ?? "", for: user.userId)
            return done("Saved.", user)
        } catch {
            let refused = try FormError(error, form, keeping: ["name", "query"])
            return refused.answer(
                try await shown(request, user, refused: .own(id, refused.form), status: refused.status))
        }
    }

    private func move(_ request: Request, _ user: User) async throws -> HandlerResult {
        guard let places = ["up": -1, "down": 1][try request.form()["direction"] ?? ""] else {
            throw RoostError.invalid(field: "direction", why: "A section moves up or down.")
        }
        try await site.services.pulls.moveSection(Self.id(request), by: places, for: user.userId)
        return .response(.redirect(to: "/pulls/sections"))
    }

    private func remove(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await site.services.pulls.removeSection(Self.id(request), of: user.userId)
        return done("The section is removed.", user)
    }

    /// Leads to the sections' page, which says what was done.
    func done(_ text: String, _ user: User) -> HandlerResult {
        site.redirect(to: "/pulls/sections", showing: NoticeView(text: text), to: user)
    }

    func shown(
        _ request: Request, _ user: User, refused: PullSectionsView.Refused = .nothing,
        status: Int = 200
    ) async throws -> Response {
        let layout = try await site.layout(for: user, request, place: "/pulls")
        let settings = try await site.services.pulls.settings(of: user.userId)
        let view = PullSectionsView(
            layout: layout, sections: settings.sections, choices: settings.choices, refused: refused)
        return site.html(view, status: status)
    }

    private static func id(_ request: Request) throws -> Int64 {
        guard let id = Int64(request.parameters["id"]) else {
            throw RoostError.notFound("There is no such section.")
        }
        return id
    }
}
