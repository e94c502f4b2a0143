/// The final answer, whole: what was redirected or merely informational is not in it.
package struct ClientResponse: Sendable {
    package let status: Int
    package let headers: ClientHeaders
    /// Decoded: gzip, deflate, brotli and zstd are undone. Empty for HEAD, 204 and 304.
    package let body: [UInt8]
    /// Absolute, after redirects, normalised.
    package let finalURL: String
    let httpVersion: HTTPVersion
    /// The answer came over a connection that an earlier request, or another running one, had opened.
    let connectionReused: Bool

    /// The body as UTF-8; bytes that are none become U+FFFD.
    package var text: String { String(decoding: body, as: UTF8.self) }
    /// The same answer with another body and other values of its headers.
    package func replacing(body: [UInt8], value: (String) -> String) -> ClientResponse {
        ClientResponse(
            status: status, headers: ClientHeaders(headers.fields.map { ($0.name, value($0.value)) }),
            body: body,
            finalURL: finalURL, httpVersion: httpVersion, connectionReused: connectionReused)
    }

    /// The entity tag with its quotes, for the next request's `ifNoneMatch`.
    package var etag: String? { headers["ETag"] }
}

/// What the answer was carried by.
enum HTTPVersion: Sendable, Equatable {
    case http1, http1_1, http2
}
