/// What a request's headers say about its body (RFC 9112 section 6).
struct BodyPlan {
    /// Bytes promised; 0 without a body, and for one that comes in chunks.
    let length: Int
    let isChunked: Bool
    /// The client waits for 100 before it sends: an answer in its place reaches it at once.
    let expectsContinue: Bool
    /// Both a length and chunks, a coding that we do not know, a length that is none, or a field that others may read as
    /// one of these: how requests are smuggled past proxies.
    let isAmbiguous: Bool

    init(_ headers: Headers, version: String) {
        let lengths = headers.all("Content-Length")
        let codings = headers.all("Transfer-Encoding")
        length = lengths.first.flatMap { Int($0) } ?? 0
        isChunked = !codings.isEmpty
        expectsContinue = headers["Expect"]?.lowercased() == "100-continue"
        let isOnlyChunked = codings.isEmpty || (codings.count == 1 && codings[0].lowercased() == "chunked")
        isAmbiguous =
            headers.hasSpacedName || headers.hasFoldedField || !isOnlyChunked
            || (isChunked && (!lengths.isEmpty || version == "HTTP/1.0"))
            || lengths.count > 1 || !Self.areReadable(lengths)
    }

    static func areReadable(_ lengths: [String]) -> Bool {
        lengths.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int($0) != nil }
    }

    var hasBody: Bool { isChunked || length > 0 }

    /// Whether a refused body is read and dropped, so that the connection can go on.
    var isWorthDraining: Bool {
        length <= EngineLimits.drainLimit && !(expectsContinue && hasBody)
    }
}
