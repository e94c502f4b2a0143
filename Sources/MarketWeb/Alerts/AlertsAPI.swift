import Accounts
import HTTPServer
import Market
import RoostSupport
import RoostWeb

struct AlertsAPI: Sendable {
    private static let path = "/api/v1/alerts"

    let site: WebContext
    let services: MarketServices
    private var alerts: AlertService { services.alerts }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(
                .get, Self.path, query: ["coinId", .choice("new", ["true", "false"])] + Request.paging,
                api: .lists(CoinAlertJSON.self, "Your price alerts, oldest first."), list),
            guarded.member(
                .post, Self.path,
                api: .makes(CoinAlertJSON.self, "Creates an alert.").taking(
                    AddRequest.self, Self.limits), add),
            guarded.member(.get, Self.path + "/{id}", api: .answers(CoinAlertJSON.self, "One alert.")) {
                reads, request, user in
                let id = try AlertsController.number(request.parameters["id"])
                return .response(API.json(CoinAlertJSON(try alerts.alert(reads, id, of: user.userId))))
            },
            guarded.member(
                .patch, Self.path + "/{id}",
                api: .answers(CoinAlertJSON.self, "Changes an alert.").taking(
                    ChangeRequest.self, Self.limits), change),
            guarded.member(.delete, Self.path + "/{id}", api: .does("Removes an alert."), remove),
        ]
    }

    private static let limits: KeyValuePairs<String, APILimit> = ["kind": .choice(CoinAlert.Kind.self)]

    private struct AddRequest: Decodable {
        let coinId: String
        let kind: String
        let threshold: ThresholdText
        let currency, conversationId: String?
    }

    private struct ChangeRequest: Decodable {
        let kind: String?
        let threshold: ThresholdText?
        /// `.some(nil)` if the request sets it to null; nil if absent.
        let conversationId: String??
        let isArmed, isSeen: Bool?

        private enum CodingKeys: String, CodingKey {
            case kind, threshold, conversationId, isArmed, isSeen
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            kind = try values.decodeIfPresent(String.self, forKey: .kind)
            threshold = try values.decodeIfPresent(ThresholdText.self, forKey: .threshold)
            conversationId =
                values.contains(.conversationId)
                ? .some(try values.decodeIfPresent(String.self, forKey: .conversationId)) : nil
            isArmed = try values.decodeIfPresent(Bool.self, forKey: .isArmed)
            isSeen = try values.decodeIfPresent(Bool.self, forKey: .isSeen)
        }
    }

    private func list(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let found = try alerts.alerts(reads, of: user.userId, coinId: request.query["coinId"])
        let new = request.query["new"]
        guard new == nil || new == "true" || new == "false" else {
            throw RoostError.invalid(field: "new", why: "“new” must be true or false.")
        }
        let page = try request.items(of: found.filter { new != "true" || $0.isNew }) { "\($0.id)" }
        return .response(API.json(try Page(page.items.map(CoinAlertJSON.init), next: page.next)))
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let body = try request.body(AddRequest.self)
        let alert = try await alerts.add(
            NewAlert(
                coinId: body.coinId, kind: try Self.kind(body.kind), threshold: body.threshold.text,
                currency: body.currency, conversationId: body.conversationId),
            for: user.userId)
        var response = API.json(CoinAlertJSON(alert), status: 201)
        response["Location"] = "\(Self.path)/\(alert.id)"
        return .response(response)
    }

    private func change(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try AlertsController.number(request.parameters["id"])
        _ = try await alerts.alert(id, of: user.userId)
        let body = try request.body(ChangeRequest.self)
        guard body.isArmed != false else {
            throw RoostError.invalid(
                field: "isArmed", why: "“isArmed” can only be set to true. To stop an alert, remove it.")
        }
        guard body.isSeen != false else {
            throw RoostError.invalid(field: "isSeen", why: "“isSeen” can only be set to true.")
        }
        try await alerts.change(
            id,
            AlertChange(
                kind: try body.kind.map(Self.kind), threshold: body.threshold?.text,
                conversationId: body.conversationId),
            of: user.userId)
        if body.isArmed == true { try await alerts.arm(id, of: user.userId) }
        if body.isSeen == true { try await alerts.markSeen(id, of: user.userId) }
        return .response(API.json(CoinAlertJSON(try await alerts.alert(id, of: user.userId))))
    }

    private func remove(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await alerts.remove(AlertsController.number(request.parameters["id"]), of: user.userId)
        return .response(Response(status: 204))
    }

    private static func kind(_ word: String) throws -> CoinAlert.Kind {
        guard let kind = CoinAlert.Kind(rawValue: word) else {
            throw RoostError.invalid(field: "kind", why: "“kind” must be “above”, “below” or “change”.")
        }
        return kind
    }
}
