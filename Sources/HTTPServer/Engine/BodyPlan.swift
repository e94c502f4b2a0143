/// What a request's headers say about its body (RFC 9112 section 6).
struct BodyPlan {
    /// Bytes promised; 0 without a body, and for one that comes in chunks.
    let length: Int
    let isChunked: Bool
    /// The client waits for 100 before it sends: an answer in its place reaches it at once.
    let expectsContinue: Bool
    /// Both a length and chunks, a coding that we do not know, or a field's name that others may read as one of these:
    /// how requests are smuggled past proxies.
    let isAmbiguous: Bool

    init(_ headers: Headers) {
        let lengths = headers.all("Content-Length")
        let codings = headers.all("Transfer-Encoding")
        length = lengths.first.flatMap { Int($0) } ?? 0
        isChunked = !codings.isEmpty
        expectsContinue = headers["Expect"]?.lowercased() == "100-continue"
        let isOnlyChunked = codings.isEmpty || (codings.count == 1 && codings[0].lowercased() == "chunked")
        isAmbiguous =
            headers.hasSpacedName || !isOnlyChunked || (isChunked && !lengths.isEmpty) || lengths.count > 1
            || (lengths.count == 1 && Int(lengths[0]) == nil)
    }

    /// Whether a refused body is read and dropped, so that the connection can go on.
    var isWorthDraining: Bool {
        !isAmbiguous && length <= EngineLimits.drainLimit && !(expectsContinue && (isChunked || length > 0))
    }
}
