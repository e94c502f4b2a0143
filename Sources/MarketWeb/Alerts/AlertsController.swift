import Accounts
import Foundation
import HTTPServer
import Market
import RoostSupport
import RoostWeb
import TextFormats

struct AlertsController: Sendable {
    private static let path = "/alerts"
    private static let fields = ["coinId", "kind", "threshold", "conversationId"]

    let site: WebContext
    let services: MarketServices

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.page("/alerts", topics: { topics($1) }, page),
            guarded.page("/alerts/new", topics: { topics($1) }, page),
            guarded.fragment("/alerts/list", topics: { topics($1) }) {
                try listView($0, $2, coinId: $1.query["coin"])
            },
            guarded.tile(AlertsTileView.kind, topics: { [Topic.alerts($0.userId)] }, tileView),
            guarded.member(.post, "/alerts", add),
            guarded.member(.post, "/alerts/seen", markSeen), guarded.member(.post, "/alerts/{id}", change),
            guarded.member(.post, "/alerts/{id}/arm", arm),
            guarded.member(.post, "/alerts/{id}/remove", remove),
            guarded.member(.post, "/alerts/{id}/undo", undo),
        ]
    }

    private var alerts: AlertService { services.alerts }

    // The form lists conversations by name, so a new or renamed one changes the page.
    private func topics(_ user: User) -> [String] {
        [Topic.alerts(user.userId), Topic.watchlist(user.userId)] + alerts.conversationTopics(of: user.userId)
    }

    private func page(_ reads: Reads, _ request: Request, _ user: User) throws -> AlertsView {
        try view(reads, request, user, coin: request.query["coin"])
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        do {
            let alert = try await alerts.add(
                NewAlert(
                    coinId: form["coinId"] ?? "", kind: try kind(in: form),
                    threshold: Formats.current.numbers.plain(form["threshold"] ?? ""),
                    conversationId: conversation(in: form)),
                for: user.userId)
            // Redirect even for scripts: a full page clears the form and its errors.
            return site.redirect(to: page(in: form), showing: NoticeView(text: message(for: alert)), to: user)
        } catch {
            let refused = try FormError(error, form, keeping: Self.fields)
            return refused.answer(
                try await site.html { try view($0, request, user, refused: refused.form) })
        }
    }

    private func change(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let id = try alertId(in: request)
        _ = try await alerts.alert(id, of: user.userId)
        do {
            let alert = try await alerts.change(
                id,
                AlertChange(
                    kind: try kind(in: form),
                    threshold: Formats.current.numbers.plain(form["threshold"] ?? ""),
                    conversationId: .some(conversation(in: form))),
                of: user.userId)
            return answer(request, form, NoticeView(text: message(for: alert)), user)
        } catch {
            let refused = try FormError(error, form, keeping: Self.fields)
            return refused.answer(
                try await site.html {
                    try view($0, request, user, refusedRow: (id, refused.form))
                })
        }
    }

    private func arm(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let alert = try await alerts.arm(alertId(in: request), of: user.userId)
        return answer(request, form, NoticeView(text: message(for: alert)), user)
    }

    private func remove(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let alert = try await alerts.remove(alertId(in: request), of: user.userId)
        let notice = NoticeView(
            text: "The alert for \(alert.name) was removed.", undo: "\(Self.path)/\(alert.id)/undo")
        return answer(request, form, notice, user)
    }

    private func undo(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        try await alerts.undoRemove(alertId(in: request), of: user.userId)
        return answer(request, form, nil, user)
    }

    private func markSeen(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let id = try form["id"].map { try Self.number($0) }
        try await alerts.markSeen(id, of: user.userId)
        return answer(request, form, nil, user)
    }

    private func answer(
        _ request: Request, _ form: Form, _ notice: NoticeView?, _ user: User
    ) -> HandlerResult {
        site.answer(request, page: page(in: form), showing: notice, to: user)
    }

    private func page(in form: Form) -> String { ReturnURL(form[ReturnURL.field], else: Self.path).address }

    private func alertId(in request: Request) throws -> CoinAlertID {
        try Self.number(request.parameters["id"])
    }

    /// Throws `RoostError.notFound`.
    static func number(_ text: String) throws -> CoinAlertID {
        guard let id = CoinAlertID(text), id > 0 else { throw RoostError.notFound("There is no such alert.") }
        return id
    }

    private func kind(in form: Form) throws -> CoinAlert.Kind {
        guard let kind = CoinAlert.Kind(rawValue: form["kind"] ?? "") else {
            throw RoostError.invalid(field: "kind", why: "Choose above, below or change.")
        }
        return kind
    }

    private func conversation(in form: Form) -> String? {
        form["conversationId"].flatMap { $0.isBlank ? nil : $0 }
    }

    private func message(for alert: CoinAlert) -> String {
        guard !alert.isArmed else { return "Alert for \(alert.name) is armed: \(alert.condition)." }
        return
            "\(alert.name) is already past this (\(alert.condition)). The alert is paused until it moves back."
    }
}

extension AlertsController {
    func tileView(_ reads: Reads, _ user: User, _ scope: TileScope) throws -> AlertsTileView {
        AlertsTileView(rows: try listView(reads, user).rows, limit: scope.rows)
    }

    /// Rendered for the watchlist's rows, by coin id.
    func bells(_ reads: Reads, _ user: User) throws -> [String: RenderedView] {
        let context = TemplateContext(assets: site.assets.address)
        let counts = try services.alerts.counts(reads, of: user.userId)
        return counts.reduce(into: [:]) { bells, count in
            bells[count.key] = AlertBell(count.value, coinId: count.key).map {
                RenderedView($0, in: context, capacity: 256)
            }
        }
    }

    func coinView(_ reads: Reads, _ coinId: String, name: String, _ user: User) throws -> AlertsOfCoinView {
        AlertsOfCoinView(
            coinId: coinId,
            form: try form(reads, user, coin: .init(id: coinId, name: name), back: Self.coinPath(coinId)),
            list: try listView(reads, user, coinId: coinId))
    }

    private static func coinPath(_ coinId: String) -> String { "/coins/\(PercentEncoding.encode(coinId))" }

    private func view(
        _ reads: Reads, _ request: Request, _ user: User, coin: String? = nil, refused: FormState? = nil,
        refusedRow: (id: CoinAlertID, state: FormState)? = nil
    ) throws -> AlertsView {
        let layout = try site.layout(reads, for: user, request, currentEntry: "/watchlist")
        let state = refused ?? FormState(typed: coin.map { ["coinId": $0] } ?? [:])
        let form = try form(reads, user, state: state, back: Self.path)
        return AlertsView(
            layout: layout, form: form, list: try listView(reads, user, refused: refusedRow))
    }

    private func form(
        _ reads: Reads, _ user: User, state: FormState = .empty, coin: AlertFormView.Coin? = nil, back: String
    ) throws -> AlertFormView {
        let listed = coin == nil ? try services.watchlist.coinIds(reads, of: user.userId).sorted() : []
        return AlertFormView(
            back: back, state: state, coin: coin, coinChoices: listed,
            currency: try services.watchlist.currency(reads, of: user.userId),
            conversations: try alerts.conversations(reads, of: user.userId))
    }

    private func listView(
        _ reads: Reads, _ user: User, coinId: String? = nil,
        refused: (id: CoinAlertID, state: FormState)? = nil
    ) throws -> AlertsListView {
        let found = try alerts.alerts(reads, of: user.userId, coinId: coinId)
        let conversations = found.isEmpty ? [] : try alerts.conversations(reads, of: user.userId)
        let names = Dictionary(conversations.map { ($0.id, $0.name) }) { first, _ in first }
        let back = coinId.map(Self.coinPath) ?? Self.path
        let now = site.clock.now()
        let rows = found.map { alert in
            let state = refused?.id == alert.id ? refused?.state : nil
            return AlertRow(
                alert: alert, conversation: alert.conversationId.flatMap { names[$0] }, now: now,
                form: AlertFormView(
                    id: "alert-\(alert.id)", back: back, state: state ?? alert.formState,
                    coin: .init(id: alert.coinId, name: alert.name), currency: alert.currency,
                    conversations: conversations))
        }
        return AlertsListView(rows: rows, back: back)
    }
}

extension CoinAlert {
    fileprivate var formState: FormState {
        FormState(typed: [
            "kind": kind.rawValue, "threshold": threshold.plainText, "conversationId": conversationId ?? "",
        ])
    }
}
