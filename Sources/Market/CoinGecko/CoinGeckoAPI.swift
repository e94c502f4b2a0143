import Foundation
package import HTTPClient
package import Logging
package import RoostSupport
import TextFormats

/// CoinGecko's HTTP API: the only place with its addresses, headers and error shapes. Facts: `UPSTREAMS.md`
/// (CoinGecko's documentation and recorded answers).
package struct CoinGeckoAPI: Sendable {
    /// A failed request, with the wait that CoinGecko asked for in seconds, if any.
    package struct Failure: Error, Equatable {
        package let error: APIError
        package var retryAfter: Double?
        /// False if no request reached CoinGecko, so that it counts against no budget.
        var wasAnswered = true
        /// The shortened answer, for the log only.
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

    /// The coin list; `coins` is nil if it has not changed (304).
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
    let secrets: SecretRedactor
    let client: HTTPClient
    let clock: WallClock
    let log: Logger

    /// The maximum number of coins in an answer of `/coins/markets`.
    package static let pageSize = 250
    /// In bytes: four times the longest answer, the list of 17,000 coins.
    private static let maximumResponseBytes = 8 * 1_024 * 1_024
    /// In seconds.
    static let timeout: TimeInterval = 20

    package init(
        client: HTTPClient, url: String, plan: CoinGeckoPlan, key: String?, secrets: SecretRedactor,
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

    /// Prices of up to 250 coins, with the figures of all columns. Coins that CoinGecko does not know are absent.
    /// Throws `Failure`.
    package func markets(
        ids: [String], in currency: String
    ) async throws -> (quotes: [MarketQuote], refused: PriceTable.Refused) {
        let list = ids.map(PercentEncoding.encode).joined(separator: ",")
        return try await quotes(
            "&ids=\(list)&per_page=\(Self.pageSize)&page=1&sparkline=true"
                + "&price_change_percentage=1h,24h,7d&precision=full",
            in: currency)
    }

    /// A coin's prices over a number of days: every five minutes for one day, every hour for up to 90, every day
    /// beyond. Throws `Failure`.
    package func chart(of coinId: String, days: Int, in currency: String) async throws -> [CoinChart.Point] {
        let response = try await get(
            "/coins/\(PercentEncoding.encode(coinId))/market_chart?vs_currency=\(PercentEncoding.encode(currency))"
                + "&days=\(days)&precision=full")
        return try decode(CoinChartResponse.self, in: response).points
    }

    /// The codes of all currencies that CoinGecko has prices in. Throws `Failure`.
    func supportedCurrencies() async throws -> [String] {
        let response = try await get("/simple/supported_vs_currencies")
        let codes = try decode([String].self, in: response).filter(Currency.isCode)
        guard !codes.isEmpty else { throw Failure(error: .invalidResponse(statusCode: response.status)) }
        return codes
    }

    /// The largest coins by market value, with their ranks. Throws `Failure`.
    func largest() async throws -> [MarketQuote] {
        try await quotes(
            "&order=market_cap_desc&per_page=\(Self.pageSize)&page=1&sparkline=false", in: currency
        ).quotes
    }

    /// All coins (about 17,000), or nil coins if the list still has this ETag. Throws `Failure`.
    package func coinList(etag: String?) async throws -> ListResponse {
        let response = try await get("/coins/list", headers: etag.map { [("If-None-Match", $0)] } ?? [])
        if response.status == 304 {
            // A 304 is only valid for a conditional request.
            guard etag != nil else { throw Failure(error: .invalidResponse(statusCode: 304)) }
            return ListResponse(coins: nil, etag: etag)
        }
        let coins = try items(CoinListItem.self, in: response).items
        guard !coins.isEmpty else { throw Failure(error: .invalidResponse(statusCode: response.status)) }
        // The ETag is sent back later, so it must be valid in a header.
        let etag = response.headers["etag"].flatMap { tag in
            tag.utf8.count <= 200 && tag.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? tag : nil
        }
        return ListResponse(coins: coins, etag: etag)
    }

    /// Searches coins by name. Finds coins newer than the cached list, and other spellings. Throws `Failure`.
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
        let futureCount = list.items.filter(\.coin.wasAhead).count
        if futureCount > 0 {
            log.info(
                "CoinGecko sent times in the future; taken as now", metadata: ["count": "\(futureCount)"])
        }
        let refused = PriceTable.Refused(
            ids: list.refusedIDs, hasItemsWithoutID: list.refusedCount > list.refusedIDs.count)
        return (list.items, refused)
    }

    private func get(_ path: String, headers: [(String, String)] = []) async throws -> ClientResponse {
        var request = ClientRequest(url: url + path)
        request.headers = [("Accept", "application/json")] + headers
        request.upstream = "coingecko"
        request.totalTimeout = .seconds(Self.timeout)
        request.maximumBytes = Self.maximumResponseBytes
        // Redirects stay off (the default): the key must not be sent to another host.
        if let name = plan.keyHeader, let key { request.headers.append((name, key)) }
        let response: ClientResponse
        do {
            response = try await client.send(request)
        } catch {
            throw Failure(transport: error)
        }
        guard response.status == 200 || response.status == 304 else {
            let answer = secrets.redacted(in: response.body, own: key)
            throw Failure(response: response.replacing(body: answer) { $0 }, now: clock.now())
        }
        return response.replacing(body: secrets.redacted(in: response.body)) { $0 }
    }

    private func items<Item>(_ type: Item.Type, in response: ClientResponse) throws -> LossyArray<Item>
    where Item: Decodable & Sendable {
        let list = try decode(LossyArray<Item>.self, in: response)
        for refusal in list.refusals.prefix(5) {
            log.warning("CoinGecko sent an invalid item", metadata: ["why": "\(refusal)"])
        }
        if list.refusedCount > 5 {
            log.warning(
                "CoinGecko sent further invalid items", metadata: ["count": "\(list.refusedCount - 5)"])
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
