import CCurl
import Glibc

/// What a caller asked for, on its way to the loop's thread.
struct Submission: Sendable {
    let id: UInt64
    let request: ClientRequest
    let address: WebAddress
    let deadline: ContinuousClock.Instant
    /// Resumed exactly once: by `Transfer.finish`, or by the queue for a request that never became one.
    let continuation: CheckedContinuation<Result<ClientResponse, HTTPClientError>, Never>
}

/// One running request, over all its redirects. Belongs to the loop's thread, as do the callbacks that feed
/// it.
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
    /// Why a callback stopped libcurl: it knows only that one did.
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

    /// Sets the handle up for the next hop.
    func prepare(userAgent: String) throws(HTTPClientError) {
        let left = deadline - .now
        guard left > .zero else { throw .timeout }
        (head, body, reason, refused) = (HeaderBlock(), [], nil, nil)
        try TransferOptions(
            request: request, address: address, userAgent: userAgent,
            configuration: configuration, timeLeft: left
        ).apply(to: easy)
        // Unretained: the loop holds this object until the handle is out of the multi (see
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

    /// Answers the caller; a second call changes nothing.
    func finish(_ result: Result<ClientResponse, HTTPClientError>) {
        continuation?.resume(returning: result)
        continuation = nil
    }

    /// What one hop came to: an answer or a failure, or `nil` if another hop is to be made.
    func outcome(of code: CURLcode) -> Result<ClientResponse, HTTPClientError>? {
        guard code == CURLE_OK else { return .failure(failure(of: code)) }
        // libcurl is content with a connection that closes in the midst of the headers.
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
        // A name may have public addresses beside the refused one: it counts only when no connection came
        // about.
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
    /// False stops the transfer, as in the two below.
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
        return true
    }

    /// Asked before each new connection.
    func mayConnect(to target: IPAddress?) -> Bool {
        guard request.publicAddressesOnly else { return true }
        if let target, mayBe(at: target) { return true }
        refused = target ?? refused
        return false
    }

    private func mayBe(at target: IPAddress) -> Bool {
        if let mapped = configuration.hostMap[address.host] { return target == mapped.address }
        return configuration.countsAsPublic(target)
    }

    /// Asked before the request goes out: a connection opened by a request with fewer scruples may be reused.
    func maySend(over peer: String) -> Bool {
        guard request.publicAddressesOnly else { return true }
        if let target = IPAddress(peer), mayBe(at: target) { return true }
        reason = .refusedAddress(peer)
        return false
    }
}

/// Where a 3xx answer sends a request, and what it may take along.
///
/// We follow redirects ourselves: libcurl would strip only `Authorization` and `Cookie` on the way to another
/// host, and an API key in a header of its own (`x-cg-demo-api-key`) would be handed to strangers.
struct Redirect {
    let request: ClientRequest
    let address: WebAddress

    /// These alone go to another origin: they say what we read and what we have, not who we are.
    private static let harmless: Set = [
        "accept", "accept-language", "if-none-match", "if-modified-since", "range", "user-agent",
    ]

    /// `nil`: this answer is to be handed over as it is. Throws `.invalidURL` for a `Location` that is none
    /// of ours.
    ///
    /// RFC 9110 section 15.4: 303 asks with GET; 301 and 302 turn a POST into a GET; 307 and 308 repeat the
    /// request. A body (it may hold a secret) is never repeated to another origin.
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
