/// A simulated upstream's response before faults are applied.
struct SimulatedResponse: Sendable, Equatable {
    var status: Int
    var headers: [Header]
    var body: [UInt8]
    /// Whether the body is large and often requested unchanged, so that it is worth caching compressed.
    var isStable = false

    struct Header: Sendable, Equatable {
        let name: String
        let value: String

        init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Returns 200 with CoinGecko's headers (recorded 2021-08) and a weak ETag of the bytes.
    static func json(_ body: [UInt8], isStable: Bool = false) -> SimulatedResponse {
        SimulatedResponse(
            status: 200,
            headers: [
                Header("Content-Type", "application/json; charset=utf-8"),
                Header("Cache-Control", "max-age=30, public, must-revalidate, s-maxage=60"),
                Header("ETag", "W/\"\(Fingerprint.text(body))\""),
                Header("Vary", "Accept-Encoding, Origin"),
                Header("Access-Control-Expose-Headers", "link, per-page, total"),
            ],
            body: body, isStable: isStable)
    }

    /// Returns an error with a JSON body and `no-cache` (recorded 2021-07).
    static func failure(_ status: Int, _ body: String) -> SimulatedResponse {
        SimulatedResponse(
            status: status,
            headers: [
                Header("Content-Type", "application/json; charset=utf-8"),
                Header("Cache-Control", "no-cache"),
                Header("Vary", "Accept-Encoding, Origin"),
            ],
            body: Array(body.utf8))
    }
}
