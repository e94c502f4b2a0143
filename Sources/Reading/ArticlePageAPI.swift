import ArticleText
import Foundation
package import HTTPClient
import RoostSupport

struct FetchedPage: Sendable {
    /// After redirects.
    let url: String
    /// In lower case, without parameters: "text/html".
    let mediaType: String
    let charset: String?
    /// Empty unless it is text or a PDF.
    let body: [UInt8]
}

/// Why a page could not be fetched, as a sentence for the user.
struct ArticlePageFailure: Error, Equatable, Sendable {
    let reason: String
    var status: Int?
    var isTemporary = false
    /// In seconds, as the site asks.
    var retryAfter: TimeInterval?
    /// Roost is shutting down.
    var isInterruption = false
}

/// Fetches saved pages from public addresses, within limits.
package struct ArticlePageAPI: Sendable {
    static let maximumBytes = 5 << 20
    static let maximumRedirects = 5

    let client: HTTPClient
    let pdf: PDFReader?
    private var readsPDFs: Bool { pdf != nil }
    private let timeout: Duration

    /// - Parameters:
    ///   - pdf: nil if PDFs are only links
    ///   - timeout: for a page with all redirects of its server; only tests pass a shorter one
    package init(client: HTTPClient, pdf: PDFReader? = nil, timeout: Duration = .seconds(20)) {
        self.client = client
        self.pdf = pdf
        self.timeout = timeout
    }

    func page(at url: String) async throws(ArticlePageFailure) -> FetchedPage {
        let site = (try? ArticleAddress(url).host) ?? "The site"
        let response: ClientResponse
        do { response = try await client.send(request("GET", url)) } catch {
            guard case .tooLarge = error, let page = await link(at: url) else {
                throw Self.failure(error, site)
            }
            guard readsPDFs, page.mediaType == PDFReader.mediaType else { return page }
            var larger = request("GET", url)
            larger.maximumBytes = PDFReader.maximumBytes
            do { response = try await client.send(larger) } catch { return page }
        }
        try Self.check(response, site)
        if readsPDFs, PDFReader.isPDF(response.body) {
            return FetchedPage(
                url: response.finalURL, mediaType: PDFReader.mediaType, charset: nil, body: response.body)
        }
        let (type, charset) = Self.contentType(response)
        let mediaType = type ?? Self.guess(response.body)
        let isText = Self.isText(mediaType)
        return FetchedPage(
            url: response.finalURL, mediaType: mediaType, charset: charset,
            body: isText ? response.body : [])
    }

    /// A page that is too large may be a film or a book: asks for its type alone.
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
        request.upstream = "articles"
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

    private static func contentType(_ response: ClientResponse) -> (type: String?, charset: String?) {
        let parts = (response.headers["Content-Type"] ?? "").splitBytes(at: ";").map { String($0).trimmed }
        let charset = parts.dropFirst().first { $0.lowercased().hasPrefix("charset=") }.map {
            $0.dropFirst("charset=".count).replacingBytes(of: "\"", with: "")
                .replacingBytes(of: "'", with: "").trimmed
        }
        // The header is untrusted: accepts only the form of a media type (RFC 9110, section 8.3.1).
        let type = parts.first?.lowercased()
        let isType = type?.wholeMatch(of: #/[a-z0-9!#$&^_.+\-]{1,60}/[a-z0-9!#$&^_.+\-]{1,60}/#) != nil
        return (isType ? type : nil, charset.flatMap { $0.utf8.count <= 40 ? $0 : nil })
    }

    private static func guess(_ body: [UInt8]) -> String {
        if body.starts(with: "%PDF-".utf8) { return "application/pdf" }
        if let picture = CheckedImage.mediaType(of: body) { return picture }
        if ZipArchive.isZip(body) { return "application/zip" }
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
            case 404: "\(site) doesn’t have this page (404)."
            case 410: "\(site) says that this page is gone (410)."
            case 401, 403:
                "\(site) refused to show the page (\(status)). Open it in the browser and save it with the bookmarklet."
            case 451: "\(site) withholds the page for legal reasons (451)."
            case 429: "\(site) asked Roost to come back later (429)."
            case 500...: "\(site) has a server error (\(status))."
            default: "\(site) answered with status \(status) instead of a page."
            }
        let seconds = response.headers["Retry-After"].flatMap { TimeInterval($0) }
        throw ArticlePageFailure(
            reason: reason, status: status, isTemporary: isTemporary,
            retryAfter: isTemporary ? seconds.map { min(max($0, 0), 3_600) } : nil)
    }

    /// Reveals nothing about addresses that are not public, so that no one can probe the local network.
    private static func failure(_ error: HTTPClientError, _ site: String) -> ArticlePageFailure {
        switch error {
        case .resolve: .init(reason: "\(site) was not found.", isTemporary: true)
        case .connect: .init(reason: "\(site) could not be reached.", isTemporary: true)
        case .refusedAddress:
            .init(reason: "\(site) isn’t at a public address. Roost fetches pages only from the Internet.")
        case .timeout: .init(reason: "\(site) did not answer within 20 seconds.", isTemporary: true)
        case .aborted: .init(reason: "The answer from \(site) was cut off.", isTemporary: true)
        case .tls: .init(reason: "Couldn’t connect securely to \(site).", isTemporary: true)
        case .untrusted: .init(reason: "The certificate of \(site) could not be verified.")
        case .tooLarge: .init(reason: "The page is larger than 5 MB.")
        case .tooManyRedirects: .init(reason: "\(site) redirected Roost more than five times.")
        case .invalidURL: .init(reason: "\(site) redirected Roost to an invalid address.")
        case .malformedAnswer: .init(reason: "The answer from \(site) could not be read.")
        case .cancelled, .shutDown: .init(reason: "Roost was stopped.", isInterruption: true)
        case .invalidRequest, .other: .init(reason: "The page could not be fetched.", isTemporary: true)
        }
    }
}
