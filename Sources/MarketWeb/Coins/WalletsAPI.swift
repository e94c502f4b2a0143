import Accounts
import HTTPServer
import Market
import RoostSupport
import RoostWeb

/// The addresses where a user keeps coins, as JSON.
struct WalletsAPI: Sendable {
    private static let path = "/api/v1/wallets"

    let site: WebContext
    let services: MarketServices
    private var watchlist: WatchlistService { services.watchlist }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let one = Self.path + "/{id}"
        return [
            guarded.member(
                .get, Self.path, query: ["coin"] + Request.paging,
                api: .lists(WalletJSON.self, "The addresses where you keep coins."), list),
            guarded.member(
                .post, Self.path,
                api: .makes(WalletJSON.self, "Adds an address.").taking(AddRequest.self, Self.limits),
                add),
            guarded.member(.get, one, api: .answers(WalletJSON.self, "One wallet.")) { reads, request, user in
                .response(API.json(WalletJSON(try find(reads, request, user))))
            },
            guarded.member(
                .patch, one,
                api: .answers(WalletJSON.self, "Changes the address or the label.").taking(
                    EditRequest.self, Self.limits),
                edit),
            guarded.member(.delete, one, api: .does("Removes a wallet.")) { request, user in
                try await watchlist.removeWallet(Self.id(request), of: user.userId)
                return .response(Response(status: 204))
            },
        ]
    }

    private static let limits: KeyValuePairs<String, APILimit> = [
        "address": .text(1...NewWallet.maximumAddress), "label": .text(atMost: NewWallet.maximumLabel),
    ]

    private struct AddRequest: Decodable {
        let coinId, address: String
        let label: String?
    }

    /// Missing fields stay unchanged.
    private struct EditRequest: Decodable {
        let address, label: String?
    }

    private struct WalletJSON: Codable {
        let id, coinId, address, label: String

        init(_ wallet: Wallet) {
            (id, coinId) = ("\(wallet.id)", wallet.coinId)
            (address, label) = (wallet.address, wallet.label)
        }
    }

    private func list(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let wallets = try watchlist.wallets(reads, of: user.userId, coin: request.query["coin"])
        let page = try request.items(of: wallets) { "\($0.id)" }
        return .response(API.json(try Page(page.items.map(WalletJSON.init), next: page.next)))
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let body = try request.body(AddRequest.self)
        let wallet = try await watchlist.addWallet(
            NewWallet(coinId: body.coinId, address: body.address, label: body.label ?? ""), for: user.userId)
        var response = API.json(WalletJSON(wallet), status: 201)
        response["Location"] = "\(Self.path)/\(wallet.id)"
        return .response(response)
    }

    private func edit(_ request: Request, _ user: User) async throws -> HandlerResult {
        let wallet = try await site.database.read { try find($0, request, user) }
        let body = try request.body(EditRequest.self)
        let edited = try await watchlist.editWallet(
            wallet.id,
            to: NewWallet(
                coinId: wallet.coinId, address: body.address ?? wallet.address,
                label: body.label ?? wallet.label),
            for: user.userId)
        return .response(API.json(WalletJSON(edited)))
    }

    private func find(_ reads: Reads, _ request: Request, _ user: User) throws -> Wallet {
        let id = try Self.id(request)
        guard let wallet = try watchlist.wallets(reads, of: user.userId).first(where: { $0.id == id }) else {
            throw RoostError.notFound("There is no such wallet.")
        }
        return wallet
    }

    private static func id(_ request: Request) throws -> WalletID {
        try WatchlistAddress.number(request.parameters["id"], "wallet")
    }
}
