package import HTTPClient

/// Fetches pictures from other servers. The content is untrusted, so it is checked to be a picture.
package struct PictureAPI: Sendable {
    package enum Failure: Error, Equatable {
        /// A network or server error, which may be temporary.
        case noAnswer(APIError)
        /// The response is not a picture that Roost supports; the text is for the log.
        case refused(String)
        case cancelled
    }

    /// Picture hosts often redirect once or twice.
    private static let maximumRedirects = 3

    let client: HTTPClient

    package init(client: HTTPClient) {
        self.client = client
    }

    /// Fetches a picture and removes its metadata.
    ///
    /// Redirects from a trusted host's own origins are not followed, because they could lead anywhere in the LAN. For
    /// others, the client refuses non-public addresses at every hop.
    package func picture(at address: PictureAddress) async throws(Failure) -> CheckedImage {
        var request = ClientRequest(url: address.url)
        request.headers = [("Accept", "image/png, image/jpeg, image/webp, image/gif")]
        request.upstream = "pictures"
        request.totalTimeout = .seconds(15)
        let limits = address.isArticle ? CheckedImage.Limits.article : .avatar
        request.maximumBytes = limits.maximumBytes
        request.publicAddressesOnly = !address.isOwn
        request.maximumRedirects = address.mayRedirect ? Self.maximumRedirects : 0
        let response: ClientResponse
        do { response = try await client.send(request) } catch { throw Self.failure(error) }
        guard address.isOwn || address.isArticle || response.finalURL.hasPrefix("https://") else {
            throw .refused("sent on to a plain connection")
        }
        guard response.status == 200 else {
            throw response.status >= 500
                ? .noAnswer(.serverError(statusCode: response.status)) : .refused("status \(response.status)")
        }
        do { return try CheckedImage(response.body, within: limits) } catch { throw .refused(error.message) }
    }

    private static func failure(_ error: HTTPClientError) -> Failure {
        switch error {
        case .resolve, .connect, .tls, .untrusted, .timeout, .aborted: .noAnswer(APIError(error))
        case .cancelled, .shutDown: .cancelled
        default: .refused("\(error)")
        }
    }
}

extension PictureAPI.Failure: UpstreamFailure {
    package var error: APIError {
        switch self {
        case .noAnswer(let error): error
        case .cancelled: .interrupted
        case .refused(let why): .unknown(why)
        }
    }

    /// In seconds. A network error may end soon; an unsupported file hardly ever becomes a picture.
    package var retryAfter: Double? {
        switch self {
        case .noAnswer: 300
        case .refused: 3_600
        case .cancelled: nil
        }
    }
}
