import Accounts
import Foundation
import HTTPServer
import RoostSupport

/// `/settings`: one's name, address and picture.
struct ProfileController: Sendable {
    /// A picture of one megabyte in a form.
    private static let uploadLimit = 1_200_000

    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.person(.get, "/settings", page),
            guarded.person(.post, "/settings/profile", change),
            guarded.person(.post, "/settings/avatar", bodyLimit: Self.uploadLimit, upload),
            guarded.person(.post, "/settings/avatar/remove", removePicture),
            guarded.member(.get, "/avatars/{user}/{version}", picture),
        ]
    }

    private func page(_ request: Request, _ person: Person) async throws -> HandlerResult {
        .response(try await shown(request, person.user))
    }

    private func change(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let form = try request.form()
        do {
            try await site.services.accounts.change(
                person.user.userId, email: form["email"], displayName: form["displayName"])
            return saved(person.user)
        } catch {
            let refused = try FormError(error, form, keeping: ["displayName", "email"])
            return refused.answer(
                try await shown(request, person.user, form: refused.form, status: refused.status))
        }
    }

    private func upload(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let file = try request.form().files.first { $0.name == "avatar" }
        do {
            try await site.services.accounts.setAvatar(file?.bytes ?? [], of: person.user.userId)
            return saved(person.user)
        } catch RoostError.invalid(_, let why) {
            return .response(try await shown(request, person.user, avatarError: why, status: 422))
        }
    }

    private func removePicture(_ request: Request, _ person: Person) async throws -> HandlerResult {
        try await site.services.accounts.setAvatar(nil, of: person.user.userId)
        return saved(person.user)
    }

    private func saved(_ user: User) -> HandlerResult {
        site.redirect(to: "/settings", showing: NoticeView(text: "Your profile is saved."), to: user)
    }

    private func picture(_ request: Request, _ user: User) async throws -> HandlerResult {
        guard let id = UserID(request.parameters["user"]),
            let found = try await site.services.accounts.avatar(
                of: id, version: request.parameters["version"])
        else { throw RoostError.notFound("There is no such picture.") }
        var response = Response.content(found.bytes, type: found.mediaType)
        // Its address changes with its bytes. Nothing in it may run, whatever it is taken for.
        response["Cache-Control"] = "private, max-age=31536000, immutable"
        response["Content-Security-Policy"] = "default-src 'none'; sandbox"
        return .response(response)
    }

    private func shown(
        _ request: Request, _ user: User, form: FormState? = nil, avatarError: String? = nil,
        status: Int = 200
    ) async throws -> Response {
        let layout = try await site.layout(for: user, request, place: nil, scope: .account)
        let current = FormState(typed: ["displayName": user.displayName ?? "", "email": user.email ?? ""])
        return site.html(
            ProfileView(
                layout: layout,
                person: site.person(user),
                username: user.username, isOwner: user.role == .owner,
                joinedAt: user.createdAt ?? site.services.clock.now(), form: form ?? current,
                avatarError: avatarError),
            status: status)
    }
}
