import Accounts
import HTTPServer
import Reading
import RoostSupport
import RoostWeb

/// `/reading/shared`: what users share with each other, and the user's own pending saves.
struct SharedItemsController: Sendable {
    private static let path = "/reading/shared"
    private static let pageSize = 30

    let site: WebContext
    let services: ReadingServices
    private var shared: SharedItemService { services.sharedItems }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let one = Self.path + "/{id}"
        return [
            guarded.member(.get, Self.path) { .response(site.html(try shown($0, $1, $2))) },
            guarded.fragment(
                Self.path + "/list", topics: { [Topic.reading($1.userId)] }, variant: { _ in "-shared" }
            ) { try listView($0, $1, $2) },
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
                throw RoostError.invalid(field: "with", why: "Choose someone.")
            }
            let entry = try await shared.share(content, with: other, by: user.userId)
            let message = "Shared with \((entry.sharedWithName ?? "a colleague").sanitized)."
            return site.answer(request, page: back.address, showing: NoticeView(text: message), to: user)
        } catch {
            let refused = try FormError(error, form, keeping: ["url", "title", "with"])
            guard case .address = content else {
                let notice = NoticeView(text: refused.message, isProblem: true)
                return site.answer(request, page: back.address, showing: notice, to: user)
            }
            return refused.answer(try await site.html { try shown($0, request, user, form: refused.form) })
        }
    }

    private static func content(of form: Form) throws -> SharedItemService.Content {
        if let text = form["article"] { return .article(try ReadingAddress.number(text, "article")) }
        if let text = form["gist"] { return .gist(try ReadingAddress.number(text, "gist")) }
        return .address(form["url"] ?? "", title: form["title"].flatMap { $0.isBlank ? nil : $0 })
    }

    private func answer(_ request: Request, _ message: String, _ user: User) -> HandlerResult {
        site.answer(request, page: Self.path, showing: NoticeView(text: message), to: user)
    }

    private func shown(_ reads: Reads, _ request: Request, _ user: User, form: FormState = .empty) throws
        -> ReadingSharedView
    {
        let list = try listView(reads, request, user)
        let counts = try shared.counts(reads, of: user.userId)
        let people = try shared.people(reads, for: user.userId)
        let layout = try site.layout(reads, for: user, request, currentEntry: ReadingController.path)
        return ReadingSharedView(
            layout: layout, offlineOwner: site.offlineOwner(request, user), list: list, shared: counts.withMe,
            colleagues: ColleagueChoices(people, chosen: form.typed["with"]), form: form)
    }

    /// The query's cursor applies only to the list that it names.
    private func listView(_ reads: Reads, _ request: Request, _ user: User) throws -> SharedListView {
        let now = site.clock.now()
        let named = request.query["list"].flatMap(SharedItemService.Direction.init)
        let position = try request.cursor(ArticlePosition.self)
        var parts: [SharedItemService.Direction: SharedListView.Part] = [:]
        for direction in SharedItemService.Direction.allCases {
            // Show only pending saves of the user; finished ones are in the reading list.
            let isOwn = direction == .own
            let page = try shared.list(
                reads, direction, after: isOwn || direction != named ? nil : position,
                limit: isOwn ? ReadingService.maximumPage : Self.pageSize, of: user.userId)
            let shown = page.items.filter { !isOwn || !$0.processed }.prefix(
                isOwn ? Self.pageSize : .max)
            parts[direction] = .init(
                shown.map { SharedRow($0, direction, now: now) },
                next: isOwn ? nil : try page.next.map { try Cursor.text($0) })
        }
        return SharedListView(parts)
    }
}
