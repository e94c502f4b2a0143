import Accounts
import HTTPServer
import RoostSupport
import RoostWeb

/// `/settings/webhooks`: the user's outgoing webhooks, and `/settings/webhooks/ID`: one with its log.
struct OutgoingWebhooksController: Sendable {
    private static let all = SettingsTab.outgoingWebhooks.address
    private static let secretName = "Secret"

    let site: WebContext
    let service: OutgoingWebhookService
    private let newSecrets = FlashStore<NewSecret>(lifetime: NewSecret.lifetime)

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let one = Self.all + "/{id}"
        return [
            guarded.person(.get, Self.all, list),
            guarded.person(.post, Self.all, add),
            guarded.person(.get, one, page),
            guarded.person(.get, one + "/log", log),
            guarded.person(.post, one, change),
            guarded.person(.post, one + "/test", test),
            guarded.person(.post, one + "/secret", renewSecret),
            guarded.person(.post, one + "/delete", remove),
            guarded.person(.post, one + "/deliveries/{delivery}/send", sendAgain),
        ]
    }

    static func id(_ request: Request) throws -> Int64 {
        guard let id = Int64(request.parameters["id"]) else {
            throw RoostError.notFound("There is no such webhook.")
        }
        return id
    }

    // MARK: All

    private func list(_ reads: Reads, _ request: Request, _ person: Person) throws -> HandlerResult {
        .response(try listPage(reads, request, person))
    }

    private func listPage(
        _ reads: Reads, _ request: Request, _ person: Person, form: FormState = .empty,
        chosen: [String] = []
    ) throws -> Response {
        site.html(
            OutgoingWebhooksView(
                layout: try layout(reads, request, person), isOwner: person.user.role == .owner,
                webhooks: try service.webhooks(reads, of: person.user.userId),
                origins: try service.origins(reads).map(\.origin), events: service.events, form: form,
                chosen: chosen))
    }

    private func add(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let form = try request.form()
        let chosen = form.all("events")
        do {
            let added = try await service.add(
                url: form["url"] ?? "", events: chosen, for: person.user.userId)
            return showingSecret(added.secret, of: added.webhook.id, to: person)
        } catch {
            let refused = try FormError(error, form, keeping: ["url"], limit: 2_048)
            return refused.answer(
                try await site.database.read {
                    try listPage($0, request, person, form: refused.form, chosen: chosen)
                })
        }
    }

    // MARK: One

    private func page(_ reads: Reads, _ request: Request, _ person: Person) throws -> HandlerResult {
        let newSecret = newSecrets.consume("new", of: request, for: person.user.userId)
        let webhook = try service.webhook(reads, try Self.id(request), of: person.user.userId)
        var response = try webhookPage(reads, webhook, request, person, newSecret: newSecret?.text)
        if newSecret != nil { response["Cache-Control"] = "no-store" }
        return .response(response)
    }

    private func webhookPage(
        _ reads: Reads, _ webhook: OutgoingWebhook, _ request: Request, _ person: Person,
        newSecret: String? = nil, form: FormState? = nil, chosen: [String]? = nil
    ) throws -> Response {
        site.html(
            OutgoingWebhookView(
                layout: try layout(reads, request, person), isOwner: person.user.role == .owner,
                webhook: webhook, log: try logView(reads, webhook, person.user), events: service.events,
                newSecret: newSecret, form: form ?? FormState(typed: ["url": webhook.url]),
                chosen: chosen ?? webhook.events))
    }

    private func log(_ reads: Reads, _ request: Request, _ person: Person) throws -> HandlerResult {
        let user = person.user
        let tag = site.tag(of: [Topic.outgoingWebhooks(user.userId)], for: user)
        let webhook = try service.webhook(reads, try Self.id(request), of: user.userId)
        let view = try logView(reads, webhook, user)
        return .response(site.fragment(view, version: tag, scope: .account, for: request))
    }

    private func logView(_ reads: Reads, _ webhook: OutgoingWebhook, _ user: User) throws -> WebhookLogView {
        let deliveries = try service.deliveries(
            reads, of: webhook.id, for: user.userId, limit: OutgoingWebhookStore.maximumDeliveries)
        return WebhookLogView(webhook: webhook, deliveries: deliveries, now: site.clock.now())
    }

    private func change(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let (id, form) = (try Self.id(request), try request.form())
        let chosen = form.all("events")
        do {
            try await service.change(
                id, url: form["url"] ?? "", events: chosen, isOn: form["isOn"] != nil,
                of: person.user.userId)
            return done("Webhook saved.", id, person)
        } catch {
            let refused = try FormError(error, form, keeping: ["url"], limit: 2_048)
            return refused.answer(
                try await site.database.read { reads in
                    try webhookPage(
                        reads, try service.webhook(reads, id, of: person.user.userId), request, person,
                        form: refused.form, chosen: chosen)
                })
        }
    }

    private func test(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let id = try Self.id(request)
        try await service.sendTest(to: id, by: person.user.userId)
        return done("Test event queued. The log shows how it ended.", id, person)
    }

    private func renewSecret(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let id = try Self.id(request)
        return showingSecret(
            try await service.renewSecret(of: id, by: person.user.userId), of: id, to: person)
    }

    private func remove(_ request: Request, _ person: Person) async throws -> HandlerResult {
        try await service.remove(try Self.id(request), of: person.user.userId)
        return site.redirect(to: Self.all, showing: NoticeView(text: "Webhook deleted."), to: person.user)
    }

    private func sendAgain(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let id = try Self.id(request)
        try await service.sendAgain(request.parameters["delivery"], of: id, by: person.user.userId)
        return done("Queued again. The log shows how it ended.", id, person)
    }

    private func done(_ text: String, _ id: Int64, _ person: Person) -> HandlerResult {
        site.redirect(to: "\(Self.all)/\(id)", showing: NoticeView(text: text), to: person.user)
    }

    private func showingSecret(_ secret: String, of id: Int64, to person: Person) -> HandlerResult {
        let ticket = newSecrets.add(.init(name: Self.secretName, text: secret), for: person.user.userId)
        return .response(.redirect(to: "\(Self.all)/\(id)?new=\(ticket)"))
    }

    private func layout(_ reads: Reads, _ request: Request, _ person: Person) throws -> LayoutView {
        try site.layout(
            reads, for: person.user, request, currentEntry: SettingsTabs.path, scope: .account)
    }
}
