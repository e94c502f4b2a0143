package import HTTPClient

/// Fetches other people's pictures: what comes is a stranger's, and is believed to be a picture only when it is one.
package struct PictureAPI: Sendable {
    /// Why there is no picture.
    package enum Failure: Error, Equatable {
        /// The network, or their machine: it may be otherwise soon.
        case noAnswer(APIError)
        /// What came is no picture that Roost shows; the words are for the log.
        case refused(String)
        /// Roost is going down.
        case cancelled
    }

    /// A redirect or two are usual where pictures are kept elsewhere.
    private static let maximumRedirects = 3

    let client: HTTPClient

    package init(client: HTTPClient) {
        self.client = client
    }

    /// The picture, cleaned of all that is not the picture.
    ///
    /// On a trusted host's own ground no redirect is followed: it could lead anywhere in the LAN. Elsewhere every hop is
    /// at a public address, or is refused by the client.
    package func picture(at address: PictureAddress) async throws(Failure) -> CheckedImage {
        var request = ClientRequest(url: address.url)
        request.headers = [("Accept", "image/png, image/jpeg, image/webp, image/gif")]
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

    /// What is no picture now will hardly be one soon; a network comes back.
    package var retryAfter: Double? {
        switch self {
        case .noAnswer: 300
        case .refused: 3_600
        case .cancelled: nil
        }
    }

    package func moved(by seconds: Double) -> PictureAPI.Failure { self }
}
