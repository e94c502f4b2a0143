import Foundation
package import HTTPClient

/// A page as its site has answered it.
struct FetchedPage: Sendable {
    /// After redirects.
    let url: String
    /// In lower case, without parameters: "text/html".
    let mediaType: String
    /// As the header names it.
    let charset: String?
    /// Empty for what is no text.
    let body: [UInt8]
}

/// Why there is no page, in words for its reader.
struct ArticlePageFailure: Error, Equatable, Sendable {
    let reason: String
    var status: Int?
    /// Whether it may be otherwise soon.
    var isTemporary = false
    /// In seconds, where the site says so.
    var retryAfter: TimeInterval?
    /// Roost is going down.
    var isInterruption = false
}

/// Fetches pages that users have saved: from public addresses alone, within limits.
package struct ArticlePageAPI: Sendable {
    static let maximumBytes = 5 << 20
    static let maximumRedirects = 5

    let client: HTTPClient
    private let timeout: Duration

    /// - Parameter timeout: for a page with all its redirects; shorter in tests alone
    package init(client: HTTPClient, timeout: Duration = .seconds(20)) {
        self.client = client
        self.timeout = timeout
    }

    func page(at url: String) async throws(ArticlePageFailure) -> FetchedPage {
        let site = (try? ArticleAddress(url).host) ?? "The site"
        let response: ClientResponse
        do { response = try await client.send(request("GET", url)) } catch {
            if case .tooLarge = error, let page = await link(at: url) { return page }
            throw Self.failure(error, site)
        }
        try Self.check(response, site)
        let (type, charset) = Self.contentType(response)
        let mediaType = type ?? Self.guess(response.body)
        let isText = Self.isText(mediaType)
        return FetchedPage(
            url: response.finalURL, mediaType: mediaType, charset: charset,
            body: isText ? response.body : [])
    }

    /// What is too large to be a page may be a film or a book: its type alone is asked for.
    private func link(at url: String) async -> FetchedPage? {
        guard let response = try? await client.send(request("HEAD", url)), response.status == 200,
            let type = Self.contentType(response).type, !Self.isText(type)
        else { return nil }
        return FetchedPage(url: response.finalURL, mediaType: type, charset: nil, body: [])
    }

    private func request(_ method: String, _ url: String) -> ClientRequest {
        let page = url.splitBytes(at: "#", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        var request = ClientRequest(
            method, String(page),
            headers: [
                (
                    "Accept",
                    "text/html,application/xhtml+xml,text/plain;q=0.9,application/xml;q=0.8,*/*;q=0.5"
                ),
                ("Accept-Language", "en;q=0.8, *;q=0.5"),
            ])
        request.publicAddressesOnly = true
        request.maximumBytes = Self.maximumBytes
        request.maximumRedirects = Self.maximumRedirects
        request.totalTimeout = timeout
        return request
    }

    // MARK: Types

    static func isText(_ type: String) -> Bool {
        isHTML(type) || type == "text/plain" || type == "text/markdown"
    }

    static func isHTML(_ type: String) -> Bool {
        ["text/html", "application/xhtml+xml", "application/xml", "text/xml"].contains(type)
    }

    /// "text/html; charset=windows-1252".
    private static func contentType(_ response: ClientResponse) -> (type: String?, charset: String?) {
        let parts = (response.headers["Content-Type"] ?? "").splitBytes(at: ";").map { String($0).trimmed }
        let charset = parts.dropFirst().first { $0.lowercased().hasPrefix("charset=") }.map {
            $0.dropFirst("charset=".count).replacingBytes(of: "\"", with: "")
                .replacingBytes(of: "'", with: "").trimmed
        }
        // A stranger's: only what has the form of a type is one (RFC 9110, section 8.3.1).
        let type = parts.first?.lowercased()
        let isType = type?.wholeMatch(of: #/[a-z0-9!#$&^_.+\-]{1,60}/[a-z0-9!#$&^_.+\-]{1,60}/#) != nil
        return (isType ? type : nil, charset.flatMap { $0.utf8.count <= 40 ? $0 : nil })
    }

    private static func guess(_ body: [UInt8]) -> String {
        let known: [(String, String)] = [
            ("%PDF-", "application/pdf"), ("GIF8", "image/gif"), ("PK", "application/zip"),
        ]
        if let found = known.first(where: { body.starts(with: $0.0.utf8) }) { return found.1 }
        if body.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
        if body.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        let start = body.prefix(1_024)
        if start.contains(UInt8(ascii: "<")) { return "text/html" }
        return start.contains(0) ? "application/octet-stream" : "text/plain"
    }

    // MARK: Failures

    private static func check(_ response: ClientResponse, _ site: String) throws(ArticlePageFailure) {
        let status = response.status
        guard status != 200 else { return }
        let isTemporary = status >= 500 || status == 429 || status == 408 || status == 425
        let reason =
            switch status {
            case 404: "\(site) has no such page (404)."
            case 410: "\(site) says that this page is gone (410)."
            case 401, 403:
                "\(site) refused to show the page (\(status)). Open it in the browser and save it with the bookmarklet."
            case 451: "\(site) withholds the page for legal reasons (451)."
            case 429: "\(site) asked Roost to come back later (429)."
            case 500...: "\(site) has trouble of its own (\(status))."
            default: "\(site) answered with the status \(status) in place of a page."
            }
        let seconds = response.headers["Retry-After"].flatMap { TimeInterval($0) }
        throw ArticlePageFailure(
            reason: reason, status: status, isTemporary: isTemporary,
            retryAfter: isTemporary ? seconds.map { min(max($0, 0), 3_600) } : nil)
    }

    /// Says nothing of what answered at an address that is not public: nobody learns what is in the LAN.
    private static func failure(_ error: HTTPClientError, _ site: String) -> ArticlePageFailure {
        switch error {
        case .resolve: .init(reason: "\(site) was not found.", isTemporary: true)
        case .connect: .init(reason: "\(site) could not be reached.", isTemporary: true)
        case .refusedAddress:
            .init(reason: "\(site) is at no public address: Roost fetches pages of the Internet alone.")
        case .timeout: .init(reason: "\(site) did not answer within 20 seconds.", isTemporary: true)
        case .aborted: .init(reason: "The answer of \(site) was cut off.", isTemporary: true)
        case .tls: .init(reason: "No secure connection to \(site) came about.", isTemporary: true)
        case .untrusted: .init(reason: "The certificate of \(site) could not be verified.")
        case .tooLarge: .init(reason: "The page is larger than 5 MB.")
        case .tooManyRedirects: .init(reason: "\(site) sent Roost on more than five times.")
        case .invalidURL: .init(reason: "\(site) sent Roost to an address that is none.")
        case .malformedAnswer: .init(reason: "The answer of \(site) could not be read.")
        case .cancelled, .shutDown: .init(reason: "Roost was stopped.", isInterruption: true)
        case .invalidRequest, .other: .init(reason: "The page could not be fetched.", isTemporary: true)
        }
    }
}
