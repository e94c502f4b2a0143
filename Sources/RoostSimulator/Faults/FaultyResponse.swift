import HTTPServer

struct FaultyResponse {
    let fault: Fault
    let original: SimulatedResponse
    let errors: CoinGeckoErrors
    let plan: FaultPlan
    /// The plan's count of clearings when the fault was taken.
    let clearings: Int

    static let maximumHang = Duration.seconds(120)

    /// - Throws: `CancellationError` when the client disconnects or the server stops during a hang.
    func response() async throws -> Response {
        switch fault {
        case .rateLimited(let retryAfter, let shape):
            var response = error(429, shape, "You've exceeded the Rate Limit.", recorded: errors.rateLimited)
            response["Retry-After"] = retryAfter.map(String.init)
            return response
        case .serverError(let status, let shape):
            return error(status, shape, Self.reason(status), recorded: errors.internalError)
        case .html(let status): return .html(Self.page(status), status: status)
        case .truncatedJSON: return half
        case .cut:
            return .truncated(
                firstHalf, promising: original.body.count, type: type, status: original.status)
        case .drip(let pace):
            return .stream(ByteStream(SlowBody(original.body, pace)), type: type, status: original.status)
        case .hang: return try await hanging()
        case .reset, .refused: return .abort
        // The GitHub endpoint has already applied it.
        case .gitHub: return original.response
        }
    }

    private var type: String { original.header("Content-Type") ?? "application/json; charset=utf-8" }

    private var firstHalf: [UInt8] { Array(original.body.prefix(original.body.count / 2)) }

    private var half: Response { .content(firstHalf, type: type, status: original.status) }

    private func hanging() async throws -> Response {
        let end = ContinuousClock.now + Self.maximumHang
        while ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(20))
            if plan.clearings != clearings { return original.response }
        }
        return .abort
    }

    private func error(_ status: Int, _ shape: ErrorShape, _ message: String, recorded: String) -> Response {
        let json =
            switch shape {
            case .status where status == 429: recorded
            case .status: CoinGeckoErrors.status(status, message)
            case .nested: CoinGeckoErrors.nested(status, message)
            case .message: #"{"error":"\#(message)"}"#
            case .numbered where status == 500: recorded
            case .numbered: #"{"status":\#(status),"error":"\#(message)"}"#
            case .text, .blocked, .html: ""
            }
        switch shape {
        case .text: return .text(status == 429 ? errors.throttled : message, status: status)
        case .blocked: return .text(errors.blocked, status: status)
        case .html: return .html(Self.page(status), status: status)
        default: return .content(Array(json.utf8), type: "application/json; charset=utf-8", status: status)
        }
    }

    private static func reason(_ status: Int) -> String {
        switch status {
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        default: "Internal Server Error"
        }
    }

    private static func page(_ status: Int) -> String {
        """
        <!DOCTYPE html>
        <html lang="en-US"><head><title>Just a moment...</title></head>
        <body><h1>\(status == 200 ? "Checking your browser" : reason(status))</h1>
        <p>Ray ID: 8f2a61c0b7d4e915</p></body></html>

        """
    }
}

extension SimulatedResponse {
    var response: Response {
        Response(
            status: status, headers: headers.map { ($0.name, $0.value) },
            body: body.isEmpty ? .empty : .bytes(body))
    }
}

/// The forms of error bodies from CoinGecko and the services in front of it.
package enum ErrorShape: String, Sendable, CaseIterable {
    /// `{"status":{"error_code":429,"error_message":"..."}}`
    case status
    /// `{"error":{"status":{"error_code":429,"error_message":"..."}}}`
    case nested
    /// `{"error":"..."}`
    case message
    /// `{"status":500,"error":"..."}`
    case numbered
    /// `Throttled` in plain text.
    case text
    /// Cloudflare's `error code: 1015` in plain text.
    case blocked = "1015"
    case html
}

/// Sends a few bytes ten times a second.
struct SlowBody: AsyncSequence, Sendable {
    private let bytes: [UInt8]
    private let bytesPerSecond: Int

    init(_ bytes: [UInt8], _ bytesPerSecond: Int) {
        self.bytes = bytes
        self.bytesPerSecond = Swift.max(1, bytesPerSecond)
    }

    func makeAsyncIterator() -> Iterator {
        let pause = bytesPerSecond >= 10 ? Duration.milliseconds(100) : .seconds(1) / bytesPerSecond
        return Iterator(rest: bytes[...], size: Swift.max(1, bytesPerSecond / 10), pause: pause)
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var rest: ArraySlice<UInt8>
        fileprivate let size: Int
        fileprivate let pause: Duration

        mutating func next() async throws -> [UInt8]? {
            guard !rest.isEmpty else { return nil }
            try await Task.sleep(for: pause)
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
    }
}
