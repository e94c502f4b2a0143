import Accounts
import Foundation
import HTTPServer
import RoostSupport
import RoostWeb

struct ProfileController: Sendable {
    /// A picture of one megabyte and the form around it.
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

    private func page(_ reads: Reads, _ request: Request, _ person: Person) throws -> HandlerResult {
        .response(site.html(try pageView(reads, request, person.user)))
    }

    private func change(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let form = try request.form()
        do {
            try await site.identity.accounts.change(
                person.user.userId, email: form["email"], displayName: form["displayName"])
            return saved(person.user)
        } catch {
            let refused = try FormError(error, form, keeping: ["displayName", "email"])
            return refused.answer(
                try await site.html {
                    try pageView($0, request, person.user, form: refused.form)
                })
        }
    }

    private func upload(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let file = try request.form().files.first { $0.name == "avatar" }
        do {
            try await site.identity.accounts.setAvatar(file?.bytes ?? [], of: person.user.userId)
            return saved(person.user)
        } catch {
            let refused = try FormError(error)
            return refused.answer(
                try await site.html {
                    try pageView($0, request, person.user, avatarError: refused.message)
                })
        }
    }

    private func removePicture(_ request: Request, _ person: Person) async throws -> HandlerResult {
        try await site.identity.accounts.setAvatar(nil, of: person.user.userId)
        return saved(person.user)
    }

    private func saved(_ user: User) -> HandlerResult {
        site.redirect(to: "/settings", showing: NoticeView(text: "Profile saved."), to: user)
    }

    private func picture(_ request: Request, _ user: User) async throws -> HandlerResult {
        guard let id = UserID(request.parameters["user"]),
            let found = try await site.identity.accounts.avatar(
                of: id, version: request.parameters["version"])
        else { throw RoostError.notFound("There is no such picture.") }
        var response = Response.content(found.bytes, type: found.mediaType)
        // The address changes with the bytes. The sandbox keeps a disguised HTML or SVG file from running scripts.
        response["Cache-Control"] = "private, max-age=31536000, immutable"
        response["Content-Security-Policy"] = "default-src 'none'; sandbox"
        return .response(response)
    }

    private func pageView(
        _ reads: Reads, _ request: Request, _ user: User, form: FormState? = nil, avatarError: String? = nil
    ) throws -> ProfileView {
        let layout = try site.layout(
            reads, for: user, request, currentEntry: SettingsTabs.path, scope: .account)
        let current = FormState(typed: ["displayName": user.displayName ?? "", "email": user.email ?? ""])
        return ProfileView(
            layout: layout,
            person: site.person(user),
            username: user.username, isOwner: user.role == .owner,
            joinedAt: user.createdAt ?? site.clock.now(), form: form ?? current,
            avatarError: avatarError)
    }
}
