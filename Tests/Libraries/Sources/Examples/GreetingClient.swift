import HTTPClient

/// HTTPClient: a page, a form, and an address that is refused.
struct GreetingClient {
    /// One for the whole program: it keeps connections open for the next request.
    private let client = HTTPClient(userAgent: "Examples/1.0")
    /// Such as "http://127.0.0.1:8080".
    let site: String

    func page(of name: String) async throws(HTTPClientError) -> ClientResponse {
        try await client.send(ClientRequest(url: "\(site)/people/\(name)"))
    }

    /// A status such as 400 is an answer, not an error.
    func greeting(_ form: String) async throws(HTTPClientError) -> String {
        let headers = [("Content-Type", "application/x-www-form-urlencoded")]
        var request = ClientRequest("POST", "\(site)/greetings", headers: headers, body: Array(form.utf8))
        request.totalTimeout = .seconds(5)
        request.maximumBytes = 4_096
        let response = try await client.send(request)
        return "\(response.status) \(response.text)"
    }

    /// For addresses that users name: never connects to this machine or its network.
    func pageOfUser(at url: String) async -> Result<ClientResponse, HTTPClientError> {
        var request = ClientRequest(url: url)
        request.publicAddressesOnly = true
        request.maximumRedirects = 5
        do { return .success(try await client.send(request)) } catch { return .failure(error) }
    }
}
