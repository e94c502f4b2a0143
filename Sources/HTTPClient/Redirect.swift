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
