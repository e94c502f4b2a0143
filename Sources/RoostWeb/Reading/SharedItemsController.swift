import Accounts
import HTTPServer
import Reading
import RoostSupport

/// `/reading/shared`: what users share with each other, and saves on their way.
struct SharedItemsController: Sendable {
    private static let path = "/reading/shared"
    private static let pageSize = 30

    let site: WebContext
    private var shared: SharedItemService { site.services.sharedItems }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let one = Self.path + "/{id}"
        return [
            guarded.member(.get, Self.path) { request, user in
                .response(try await shown(request, user))
            },
            guarded.member(.get, Self.path + "/list", list),
            guarded.member(.post, Self.path, share),
            guarded.member(.post, one + "/accept", accept),
            guarded.member(.post, one + "/dismiss") { request, user in
                try await shared.dismiss(ReadingAddress.sharedItem(request), by: user.userId)
                return answer(request, "Dismissed.", user)
            },
            guarded.member(.post, one + "/withdraw") { request, user in
                try await shared.withdraw(ReadingAddress.sharedItem(request), by: user.userId)
                return answer(request, "Withdrawn.", user)
            },
        ]
    }

    private func list(_ request: Request, _ user: User) async throws -> HandlerResult {
        let tag = site.tag(of: [Topic.reading(user.userId)], for: user)
        let view = try await listView(request, user)
        return .response(site.fragment(view, version: "\(tag)-shared", for: request))
    }

    private func accept(_ request: Request, _ user: User) async throws -> HandlerResult {
        let saved = try await shared.accept(ReadingAddress.sharedItem(request), by: user.userId)
        return answer(request, saved.message, user)
    }

    private func share(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let content = try Self.content(of: form)
        let back = ReturnURL(form[ReturnURL.field], else: Self.path)
        do {
            guard let other = UserID(form["with"] ?? "") else {
                throw RoostError.invalid(field: "with", why: "Choose somebody.")
            }
            let entry = try await shared.share(content, with: other, by: user.userId)
            let words = "Shared with \((entry.sharedWithName ?? "a colleague").sanitized)."
            return site.answer(request, page: back.address, showing: NoticeView(text: words), to: user)
        } catch {
            let refused = try FormError(error, form, keeping: ["url", "title", "with"])
            guard case .address = content else {
                let why = refused.form.fieldErrors.values.first ?? refused.form.error ?? ""
                let notice = NoticeView(text: why, isTrouble: true)
                return site.answer(request, page: back.address, showing: notice, to: user)
            }
            return refused.answer(
                try await shown(request, user, form: refused.form, status: refused.status))
        }
    }

    private static func content(of form: Form) throws -> SharedItemService.Content {
        if let text = form["article"] { return .article(try ReadingAddress.number(text, "article")) }
        if let text = form["gist"] { return .gist(try ReadingAddress.number(text, "gist")) }
        return .address(form["url"] ?? "", title: form["title"].flatMap { $0.isBlank ? nil : $0 })
    }

    private func answer(_ request: Request, _ words: String, _ user: User) -> HandlerResult {
        site.answer(request, page: Self.path, showing: NoticeView(text: words), to: user)
    }

    private func shown(
        _ request: Request, _ user: User, form: FormState = .empty, status: Int = 200
    ) async throws -> Response {
        let cursor = site.services.feed.cursor
        let list = try await listView(request, user)
        let counts = try await shared.counts(of: user.userId)
        let people = try await shared.people(for: user.userId)
        let layout = try await site.layout(
            for: user, request, place: ReadingController.path, cursor: cursor)
        let view = ReadingSharedView(
            layout: layout, offlineOwner: site.offlineOwner(request, user), list: list, shared: counts.withMe,
            colleagues: ColleagueChoices(people, chosen: form.typed["with"]), form: form)
        return site.html(view, status: status)
    }

    /// The cursor is that of the one list that the address names.
    private func listView(_ request: Request, _ user: User) async throws -> SharedListView {
        let now = site.services.clock.now()
        let named = request.query["list"].flatMap(SharedItemService.Direction.init)
        var parts: [SharedItemService.Direction: SharedListView.Part] = [:]
        for direction in SharedItemService.Direction.allCases {
            let cursor = direction == named ? request.query["cursor"] : nil
            // Of the user's own saves those that are still on their way; the others are in the list of articles.
            let isOwn = direction == .own
            let page = try await shared.list(
                direction, cursor: isOwn ? nil : cursor,
                limit: isOwn ? ReadingService.maximumPage : Self.pageSize, of: user.userId)
            let shown = page.items.filter { !isOwn || !$0.item.processed }.prefix(
                isOwn ? Self.pageSize : .max)
            parts[direction] = .init(
                shown.map { SharedRow($0, direction, now: now) }, next: isOwn ? nil : page.next)
        }
        return SharedListView(parts)
    }
}
