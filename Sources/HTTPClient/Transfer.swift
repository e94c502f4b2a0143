import CCurl
import Glibc
import TextFormats

struct Submission: Sendable {
    let id: UInt64
    let request: ClientRequest
    let address: WebAddress
    let deadline: ContinuousClock.Instant
    /// Resumed exactly once: by `Transfer.finish`, or by the queue if the request was never started.
    let continuation: CheckedContinuation<Result<ClientResponse, HTTPClientError>, Never>
}

/// A running request, including its redirects. Used only on the loop's thread.
final class Transfer {
    let id: UInt64
    let easy: EasyHandle
    let deadline: ContinuousClock.Instant
    private var request: ClientRequest
    private var address: WebAddress
    private let configuration: ClientConfiguration
    private var continuation: CheckedContinuation<Result<ClientResponse, HTTPClientError>, Never>?
    private var redirects = 0
    private var head = HeaderBlock()
    private var body: [UInt8] = []
    /// Why a callback stopped the transfer; libcurl reports only that one did.
    private var reason: HTTPClientError?
    private var refused: IPAddress?

    init(_ submission: Submission, configuration: ClientConfiguration) throws(HTTPClientError) {
        self.configuration = configuration
        easy = try EasyHandle()
        id = submission.id
        request = submission.request
        address = submission.address
        deadline = submission.deadline
        continuation = submission.continuation
    }

    func prepare(userAgent: String) throws(HTTPClientError) {
        let left = deadline - .now
        guard left > .zero else { throw .timeout }
        (head, body, reason, refused) = (HeaderBlock(), [], nil, nil)
        try TransferOptions(
            request: request, address: address, userAgent: userAgent,
            configuration: configuration, timeLeft: left
        ).apply(to: easy)
        // Unretained: the loop keeps this object until the handle is removed from the multi handle (see
        // `TransferLoop.start`).
        let context = Unmanaged.passUnretained(self).toOpaque()
        for option in [CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_OPENSOCKETDATA, CURLOPT_PREREQDATA] {
            try easy.set(option, pointer: context)
        }
        try easy.set(CURLOPT_HEADERFUNCTION, curlDidReceiveHeader)
        try easy.set(CURLOPT_WRITEFUNCTION, curlDidReceiveBody)
        try easy.setSocket(curlOpensSocket)
        try easy.setPrereq(curlWillSendRequest)
    }

    func finish(_ result: Result<ClientResponse, HTTPClientError>) {
        continuation?.resume(returning: result)
        continuation = nil
    }

    /// Returns the answer or failure, or nil if another hop follows.
    func outcome(of code: CURLcode) -> Result<ClientResponse, HTTPClientError>? {
        guard code == CURLE_OK else { return .failure(failure(of: code)) }
        // libcurl reports success even if the connection closes in the middle of the headers.
        guard head.isComplete else { return .failure(.aborted) }
        do throws(HTTPClientError) {
            if request.maximumRedirects > 0,
                let redirect = try Redirect(
                    of: request, at: address, status: head.status, location: head.headers["Location"])
            {
                redirects += 1
                guard redirects <= request.maximumRedirects else { throw .tooManyRedirects }
                (request, address) = (redirect.request, redirect.address)
                return nil
            }
            return .success(try response())
        } catch {
            return .failure(error)
        }
    }

    private func failure(of code: CURLcode) -> HTTPClientError {
        if let reason { return reason }
        // A name may have public addresses besides the refused one, so report it only if the connection failed.
        if let refused, code == CURLE_COULDNT_CONNECT { return .refusedAddress(refused.description) }
        let limit = request.maximumBytes
        return CurlFailure(code: code, detail: easy.detail, host: address.host, limit: limit).error
    }

    private func response() throws(HTTPClientError) -> ClientResponse {
        let version: HTTPVersion =
            switch try easy.number(CURLINFO_HTTP_VERSION) {
            case Int(CURL_HTTP_VERSION_1_0): .http1
            case Int(CURL_HTTP_VERSION_1_1): .http1_1
            default: .http2
            }
        return ClientResponse(
            status: head.status, headers: head.headers, body: body, finalURL: address.text,
            httpVersion: version,
            connectionReused: try easy.number(CURLINFO_NUM_CONNECTS) == 0)
    }
}

extension Transfer {
    /// Returning false stops the transfer, in the methods below, too.
    func received(header line: UnsafeRawBufferPointer) -> Bool {
        guard !head.read(line) else { return true }
        reason = .tooLarge(limit: HeaderBlock.limit)
        return false
    }

    func received(body bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= request.maximumBytes - body.count else {
            reason = .tooLarge(limit: request.maximumBytes)
            return false
        }
        body.append(contentsOf: bytes)
        if let onPiece = request.onPiece, (200..<300).contains(head.status) { onPiece(Array(bytes)) }
        return true
    }

    func mayConnect(to target: IPAddress?) -> Bool {
        guard request.publicAddressesOnly else { return true }
        if let target, isAllowed(target) { return true }
        refused = target ?? refused
        return false
    }

    private func isAllowed(_ target: IPAddress) -> Bool {
        if let allowed = request.allowedAddress { return target == allowed }
        if let mapped = configuration.hostMap[address.host] { return target == mapped.address }
        return configuration.countsAsPublic(target)
    }

    /// Called before the request is sent, because it may reuse a connection of a request without `publicAddressesOnly`.
    func maySend(over peer: String) -> Bool {
        guard request.publicAddressesOnly else { return true }
        if let target = IPAddress(peer), isAllowed(target) { return true }
        reason = .refusedAddress(peer)
        return false
    }
}

/// The next request after a 3xx answer.
///
/// libcurl does not follow redirects here: for another host it would remove only `Authorization` and `Cookie`, and send
/// an API key in another header (`x-cg-demo-api-key`) along.
struct Redirect {
    let request: ClientRequest
    let address: WebAddress

    /// The only headers sent to another origin. They do not identify the user.
    private static let harmless: Set = [
        "accept", "accept-language", "if-none-match", "if-modified-since", "range", "user-agent",
    ]

    /// Returns nil if this answer is not to be followed. Throws `.invalidURL` for an invalid `Location`.
    ///
    /// RFC 9110 section 15.4: 303 changes the method to GET, 301 and 302 change POST to GET, 307 and 308 repeat the
    /// request. A body is never repeated to another origin, because it may contain a secret.
    init?(of request: ClientRequest, at address: WebAddress, status: Int, location: String?)
        throws(HTTPClientError)
    {
        guard [301, 302, 303, 307, 308].contains(status), let location else { return nil }
        var next = request
        if status == 303 && request.method != "HEAD" || status < 303 && request.method == "POST" {
            next.method = "GET"
            next.body = nil
            next.headers.removeAll { $0.0.lowercased().hasPrefix("content-") }
        }
        let target = try address.resolving(location)
        if !target.hasOrigin(of: address) {
            guard next.body == nil else { return nil }
            next.headers.removeAll { !Self.harmless.contains($0.0.lowercased()) }
        }
        self.request = next
        self.address = target
    }
}
