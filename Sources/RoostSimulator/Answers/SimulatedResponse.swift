/// A whole answer of a simulated upstream, before any fault is laid over it.
struct SimulatedResponse: Sendable, Equatable {
    var status: Int
    var headers: [Header]
    var body: [UInt8]
    /// The body is large and asked for again and again unchanged: worth keeping compressed.
    var isStable = false

    struct Header: Sendable, Equatable {
        let name: String
        let value: String

        init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// First value of a header, by any case of its name.
    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// 200 with the headers that CoinGecko's answers carry (recorded 2021-08) and a weak ETag over the bytes.
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

    /// An error with its JSON body, never cached (recorded 2021-07).
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
