import Accounts
import HTTPServer
import RoostSupport
import RoostWeb

/// `/members/webhooks`: the addresses that webhooks may have.
struct WebhookOriginsController: Sendable {
    private static let path = SettingsTab.webhookOrigins.address

    let site: WebContext
    let service: OutgoingWebhookService

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.owner(.get, Self.path, page),
            guarded.owner(.post, Self.path, allow),
            guarded.owner(.post, Self.path + "/{id}/remove", remove),
        ]
    }

    /// Throws `RoostError.notFound`.
    static func id(_ request: Request) throws -> Int64 {
        guard let id = Int64(request.parameters["id"]) else { throw OutgoingWebhookService.unknownOrigin }
        return id
    }

    private func page(_ reads: Reads, _ request: Request, _ person: Person) throws -> HandlerResult {
        .response(try page(reads, request, person, form: .empty))
    }

    private func page(
        _ reads: Reads, _ request: Request, _ person: Person, form: FormState
    ) throws -> Response {
        let layout = try site.layout(
            reads, for: person.user, request, currentEntry: SettingsTabs.path, scope: .owner)
        return site.html(
            WebhookOriginsView(layout: layout, origins: try service.origins(reads), form: form))
    }

    private func allow(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let form = try request.form()
        do {
            try await service.allow(
                form["origin"] ?? "", by: person.user.username, from: person.origin)
            return site.redirect(
                to: Self.path, showing: NoticeView(text: "Address allowed."), to: person.user)
        } catch {
            let refused = try FormError(error, form, keeping: ["origin"])
            return refused.answer(
                try await site.database.read { try page($0, request, person, form: refused.form) })
        }
    }

    private func remove(_ request: Request, _ person: Person) async throws -> HandlerResult {
        try await service.disallow(
            try Self.id(request), by: person.user.username, from: person.origin)
        return site.redirect(
            to: Self.path, showing: NoticeView(text: "Address removed. Webhooks to it fail now."),
            to: person.user)
    }
}

struct WebhookOriginsView: PageView, Sendable {
    static let scripts = ["accounts"]

    let layout: LayoutView
    let originRows: [Row]
    let originForm: FormView
    let tabs: SettingsTabs

    struct Row: Sendable {
        let originId: String
        let originText: String
    }

    init(layout: LayoutView, origins: [WebhookOrigin], form: FormState = .empty) {
        self.layout = layout
        originRows = origins.map {
            Row(originId: PathSegment("\($0.id)").description, originText: $0.origin)
        }
        var field = FieldView("origin", "Address", in: form)
        field.placeholder = "https://example.org"
        field.hint = """
            A name must lead to a public address. For a program on your network, allow its IP address, such as \
            http://192.168.1.5:9000.
            """
        originForm = FormView([field], form)
        tabs = SettingsTabs(.webhookOrigins, in: layout, isOwner: true)
    }

    var hasOrigins: Bool { !originRows.isEmpty }
}
