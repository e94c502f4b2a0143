import Accounts
import Foundation
import HTTPServer
import Market
import RoostSupport
import TextFormats

/// Alerts as pages and forms.
struct AlertsController: Sendable {
    private static let path = "/alerts"
    private static let fields = ["coinId", "kind", "threshold", "conversationId"]

    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.page("/alerts", topics: { topics($1) }, page),
            guarded.page("/alerts/new", topics: { topics($1) }, page),
            guarded.member(.get, "/alerts/list", list), guarded.member(.get, "/alerts/tile", tile),
            guarded.member(.get, "/alerts/count", count), guarded.member(.post, "/alerts", add),
            guarded.member(.post, "/alerts/seen", markSeen), guarded.member(.post, "/alerts/{id}", change),
            guarded.member(.post, "/alerts/{id}/arm", arm),
            guarded.member(.post, "/alerts/{id}/remove", remove),
            guarded.member(.post, "/alerts/{id}/undo", undo),
        ]
    }

    private var alerts: AlertService { site.services.alerts }

    // Conversations are offered by name: a new one, or a new name, changes the page.
    private func topics(_ user: User) -> [String] {
        [Topic.alerts(user.userId), Topic.chat(user.userId), Topic.watchlist(user.userId)]
    }

    private func page(_ request: Request, _ user: User) async throws -> RenderedPage {
        site.rendered(try await view(request, user, coin: request.query["coin"]))
    }

    private func list(_ request: Request, _ user: User) async throws -> HandlerResult {
        let tag = site.tag(of: topics(user), for: user)
        let view = try await listView(user, coinId: request.query["coin"])
        return .response(site.fragment(view, version: tag, for: request))
    }

    private func tile(_ request: Request, _ user: User) async throws -> HandlerResult {
        let tag = site.tag(of: [Topic.alerts(user.userId)], for: user)
        return .response(site.fragment(try await tileView(user), version: tag, for: request))
    }

    private func count(_ request: Request, _ user: User) async throws -> HandlerResult {
        let tag = site.tag(of: [Topic.alerts(user.userId)], for: user)
        let new = try await alerts.newCount(of: user.userId)
        var response = Response.html(new > 0 ? "\(new)" : "")
        response["Cache-Control"] = "private, no-cache"
        response.etag = "W/\"\(tag)-\(new)\""
        return .response(response)
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        do {
            let alert = try await alerts.add(
                NewAlert(
                    coinId: form["coinId"] ?? "", kind: try kind(in: form),
                    threshold: form["threshold"] ?? "",
                    conversationId: conversation(in: form)),
                for: user.userId)
            // The whole page: what was typed and what was said against it goes.
            return site.redirect(to: page(in: form), showing: NoticeView(text: words(of: alert)), to: user)
        } catch {
            let refused = try FormError(error, form, keeping: Self.fields)
            return refused.answer(
                site.html(try await view(request, user, refused: refused.form), status: refused.status))
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
                    kind: try kind(in: form), threshold: form["threshold"] ?? "",
                    conversationId: .some(conversation(in: form))),
                of: user.userId)
            return answer(request, form, NoticeView(text: words(of: alert)), user)
        } catch {
            let refused = try FormError(error, form, keeping: Self.fields)
            let view = try await view(request, user, refusedRow: (id, refused.form))
            return refused.answer(site.html(view, status: refused.status))
        }
    }

    private func arm(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let alert = try await alerts.arm(alertId(in: request), of: user.userId)
        return answer(request, form, NoticeView(text: words(of: alert)), user)
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

    /// The page that a form leads back to.
    private func page(in form: Form) -> String { ReturnURL(form[ReturnURL.field], else: Self.path).address }

    private func alertId(in request: Request) throws -> CoinAlertID {
        try Self.number(request.parameters["id"])
    }

    /// The id that an address or a form names. Throws `RoostError.notFound`.
    static func number(_ text: String) throws -> CoinAlertID {
        guard let id = CoinAlertID(text), id > 0 else { throw RoostError.notFound("There is no such alert.") }
        return id
    }

    private func kind(in form: Form) throws -> CoinAlert.Kind {
        guard let kind = CoinAlert.Kind(rawValue: form["kind"] ?? "") else {
            throw RoostError.invalid(field: "kind", why: "An alert is for above, below or change.")
        }
        return kind
    }

    private func conversation(in form: Form) -> String? {
        form["conversationId"].flatMap { $0.isBlank ? nil : $0 }
    }

    /// Says what the alert waits for, and that it is beyond that already where it is.
    private func words(of alert: CoinAlert) -> String {
        guard !alert.isArmed else { return "Alert for \(alert.name), \(alert.condition): armed." }
        return
            "\(alert.name) is past this already (\(alert.condition)): the alert waits until it has come back."
    }
}

/// How the views of alerts are filled.
extension AlertsController {
    func tileView(_ user: User) async throws -> AlertsTileView {
        AlertsTileView(rows: try await listView(user).rows)
    }

    /// The part of a coin's page.
    func coinView(_ coinId: String, name: String, _ user: User) async throws -> AlertsOfCoinView {
        AlertsOfCoinView(
            coinId: coinId,
            form: try await form(user, coin: .init(id: coinId, name: name), back: Self.coinPath(coinId)),
            list: try await listView(user, coinId: coinId))
    }

    private static func coinPath(_ coinId: String) -> String { "/coins/\(PercentEncoding.encode(coinId))" }

    private func view(
        _ request: Request, _ user: User, coin: String? = nil, refused: FormState? = nil,
        refusedRow: (id: CoinAlertID, state: FormState)? = nil
    ) async throws -> AlertsView {
        let layout = try await site.layout(for: user, request, place: "/watchlist")
        let state = refused ?? FormState(typed: coin.map { ["coinId": $0] } ?? [:])
        let form = try await form(user, state: state, back: Self.path)
        return AlertsView(
            layout: layout, form: form, list: try await listView(user, refused: refusedRow))
    }

    private func form(
        _ user: User, state: FormState = .empty, coin: AlertFormView.Coin? = nil, back: String
    ) async throws -> AlertFormView {
        let listed = coin == nil ? try await site.services.watchlist.coinIds(of: user.userId).sorted() : []
        return AlertFormView(
            back: back, state: state, coin: coin, coinChoices: listed,
            currency: try await alerts.currency(of: user.userId),
            conversations: try await alerts.conversations(of: user.userId))
    }

    private func listView(
        _ user: User, coinId: String? = nil, refused: (id: CoinAlertID, state: FormState)? = nil
    ) async throws -> AlertsListView {
        let found = try await alerts.alerts(of: user.userId, coinId: coinId)
        let conversations = found.isEmpty ? [] : try await alerts.conversations(of: user.userId)
        let names = Dictionary(conversations.map { ($0.id, $0.name) }) { first, _ in first }
        let back = coinId.map(Self.coinPath) ?? Self.path
        let now = site.services.clock.now()
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
    /// What its fields hold.
    fileprivate var formState: FormState {
        FormState(typed: [
            "kind": kind.rawValue, "threshold": threshold.plainText, "conversationId": conversationId ?? "",
        ])
    }
}
