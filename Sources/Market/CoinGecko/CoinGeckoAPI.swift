import Foundation
package import HTTPClient
package import Logging
package import RoostSupport
import TextFormats

/// CoinGecko's HTTP interface: addresses, headers and error shapes stand here and nowhere else.
///
/// Facts: `UPSTREAMS.md` (CoinGecko's documentation and recorded answers).
package struct CoinGeckoAPI: Sendable {
    /// An upstream's answer that went wrong, with the wait it asked for in seconds, if any.
    package struct Failure: Error, Equatable {
        package let error: APIError
        package var retryAfter: Double?
        /// False when no request reached CoinGecko, so that it counts against no budget.
        var wasAnswered = true
        /// What the source said, shortened, for the log only.
        package var detail = ""

        package init(
            error: APIError, retryAfter: Double? = nil, wasAnswered: Bool = true, detail: String = ""
        ) {
            self.error = error
            self.retryAfter = retryAfter
            self.wasAnswered = wasAnswered
            self.detail = detail
        }
    }

    /// What a list's request brought: nil where the list has not changed (304).
    package struct ListResponse: Sendable {
        package let coins: [CoinListItem]?
        package let etag: String?
    }

    package let plan: CoinGeckoPlan
    package let currency: String
    let url: String
    /// "scheme://host:port" of an address that the operator set; nil for CoinGecko's own.
    package let home: String?
    let key: String?
    let secrets: KnownSecrets
    let client: HTTPClient
    let clock: WallClock
    let log: Logger

    /// `/coins/markets` answers this many coins at most.
    package static let pageSize = 250
    /// In bytes: four times what the list of 17,000 coins takes, the longest answer there is.
    private static let maximumResponseBytes = 8 * 1_024 * 1_024
    /// In seconds: a request that has not been answered by then has failed.
    static let timeout: TimeInterval = 20

    package init(
        client: HTTPClient, url: String, plan: CoinGeckoPlan, key: String?, secrets: KnownSecrets,
        currency: String, clock: WallClock, log: Logger
    ) {
        self.client = client
        self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
        home = url == plan.defaultURL ? nil : WebOrigin(within: url)?.text
        self.plan = plan
        self.key = key
        self.secrets = secrets
        self.currency = currency
        self.clock = clock
        self.log = log
    }

    /// Prices of up to 250 coins with all that a list may show of them: no column costs a request of its own. A coin that
    /// CoinGecko does not know is simply absent. Throws `Failure`.
    package func markets(
        ids: [String], in currency: String
    ) async throws -> (quotes: [MarketQuote], refused: PriceTable.Refused) {
        let list = ids.map(PercentEncoding.encode).joined(separator: ",")
        return try await quotes(
            "&ids=\(list)&per_page=\(Self.pageSize)&page=1&sparkline=true"
                + "&price_change_percentage=1h,24h,7d&precision=full",
            in: currency)
    }

    /// A coin's prices over so many days: every five minutes for one day, every hour up to 90, every day beyond. Throws
    /// `Failure`.
    package func chart(of coinId: String, days: Int, in currency: String) async throws -> [CoinChart.Point] {
        let response = try await get(
            "/coins/\(PercentEncoding.encode(coinId))/market_chart?vs_currency=\(PercentEncoding.encode(currency))"
                + "&days=\(days)&precision=full")
        return try decode(CoinChartResponse.self, in: response).points
    }

    /// The codes of all currencies that prices can be asked in. Throws `Failure`.
    func supportedCurrencies() async throws -> [String] {
        let response = try await get("/simple/supported_vs_currencies")
        let codes = try decode([String].self, in: response).filter(Currency.isCode)
        guard !codes.isEmpty else { throw Failure(error: .invalidResponse(statusCode: response.status)) }
        return codes
    }

    /// The largest coins by market value, for their ranks. Throws `Failure`.
    func largest() async throws -> [MarketQuote] {
        try await quotes(
            "&order=market_cap_desc&per_page=\(Self.pageSize)&page=1&sparkline=false", in: currency
        ).quotes
    }

    /// All coins (about 17,000), unless they are still those of `etag`. Throws `Failure`.
    package func coinList(etag: String?) async throws -> ListResponse {
        let response = try await get("/coins/list", headers: etag.map { [("If-None-Match", $0)] } ?? [])
        if response.status == 304 {
            // Without a question for changes there is nothing that could be unchanged.
            guard etag != nil else { throw Failure(error: .invalidResponse(statusCode: 304)) }
            return ListResponse(coins: nil, etag: etag)
        }
        let coins = try items(CoinListItem.self, in: response).items
        guard !coins.isEmpty else { throw Failure(error: .invalidResponse(statusCode: response.status)) }
        // What is kept is sent back later: nothing that could not stand in a header.
        let etag = response.headers["etag"].flatMap { tag in
            tag.utf8.count <= 200 && tag.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? tag : nil
        }
        return ListResponse(coins: coins, etag: etag)
    }

    /// Coins by name: knows coins newer than the cached list, and other spellings of their names. Throws `Failure`.
    package func search(_ text: String) async throws -> [RankedCoin] {
        struct Found: Decodable {
            let coins: LossyArray<RankedItem>
        }
        let response = try await get("/search?query=\(PercentEncoding.encode(text))")
        return try decode(Found.self, in: response).coins.items.map(\.ranked)
    }

    private struct RankedItem: Decodable, Sendable {
        let ranked: RankedCoin

        init(from decoder: any Decoder) throws {
            enum Key: String, CodingKey { case rank = "market_cap_rank" }
            let values = try decoder.container(keyedBy: Key.self)
            let rank = (try? values.decodeIfPresent(Int.self, forKey: .rank)).flatMap { $0 }
            ranked = RankedCoin(coin: try CoinListItem(from: decoder), rank: rank)
        }
    }

    private func quotes(
        _ query: String, in currency: String
    ) async throws -> (quotes: [MarketQuote], refused: PriceTable.Refused) {
        let response = try await get("/coins/markets?vs_currency=\(PercentEncoding.encode(currency))" + query)
        let list = try items(MarketQuote.self, in: response)
        let ahead = list.items.filter(\.coin.wasAhead).count
        if ahead > 0 {
            log.info("CoinGecko named times ahead of ours; taken as now", metadata: ["count": "\(ahead)"])
        }
        let refused = PriceTable.Refused(
            ids: list.refusedIDs, hasNameless: list.refusedCount > list.refusedIDs.count)
        return (list.items, refused)
    }

    private func get(_ path: String, headers: [(String, String)] = []) async throws -> ClientResponse {
        var request = ClientRequest(url: url + path)
        request.headers = [("Accept", "application/json")] + headers
        request.totalTimeout = .seconds(Self.timeout)
        request.maximumBytes = Self.maximumResponseBytes
        // Redirects stay off (the default): the key must not travel to another host.
        if let name = plan.keyHeader, let key { request.headers.append((name, key)) }
        let response: ClientResponse
        do {
            response = try await client.send(request)
        } catch {
            throw Failure(transport: error)
        }
        guard response.status == 200 || response.status == 304 else {
            let answer = secrets.hidden(in: response.body, own: key)
            throw Failure(response: response.replacing(body: answer) { $0 }, now: clock.now())
        }
        return response.replacing(body: secrets.hidden(in: response.body)) { $0 }
    }

    private func items<Item>(_ type: Item.Type, in response: ClientResponse) throws -> LossyArray<Item>
    where Item: Decodable & Sendable {
        let list = try decode(LossyArray<Item>.self, in: response)
        for refusal in list.refusals.prefix(5) {
            log.warning("CoinGecko sent an item that was refused", metadata: ["why": "\(refusal)"])
        }
        if list.refusedCount > 5 {
            log.warning(
                "CoinGecko sent further refused items", metadata: ["count": "\(list.refusedCount - 5)"])
        }
        return list
    }

    private func decode<Value: Decodable>(_ type: Value.Type, in response: ClientResponse) throws -> Value {
        let decoder = JSONDecoder()
        decoder.userInfo[.now] = clock.now()
        decoder.userInfo[.pictureHome] = home
        do {
            return try decoder.decode(type, from: Data(response.body))
        } catch {
            throw Failure(
                error: .invalidResponse(statusCode: response.status),
                detail: "not the documented JSON (\(response.body.count) bytes)")
        }
    }
}
