import TextFormats

/// A sign-in response: fields in JSON if the client accepts it, otherwise form-encoded.
enum OAuthResponse: Sendable {
    enum Value: Sendable {
        case string(String)
        case int(Int)
    }

    case fields([(name: String, value: Value)])
    case notFound

    static func error(_ code: String, _ more: [(name: String, value: Value)] = []) -> OAuthResponse {
        .fields(
            [
                ("error", .string(code)), ("error_description", .string(descriptions[code] ?? code)),
                ("error_uri", .string("https://docs.github.com/apps/oauth-apps")),
            ] + more)
    }

    func answer(_ request: GitHubRequest) -> SimulatedResponse {
        guard case .fields(let fields) = self else { return GitHubResponse.notFound }
        let isJSON = request.accept.contains("json")
        let type =
            isJSON ? "application/json; charset=utf-8" : "application/x-www-form-urlencoded; charset=utf-8"
        return SimulatedResponse(
            status: 200,
            headers: [
                .init("Content-Type", type), .init("Cache-Control", "max-age=0, private, must-revalidate"),
            ],
            body: isJSON ? Self.json(fields) : Self.form(fields))
    }

    private static func json(_ fields: [(name: String, value: Value)]) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            for (name, value) in fields {
                json.key(name)
                switch value {
                case .string(let text): json.string(text)
                case .int(let number): json.number(number)
                }
            }
        }
        return json.bytes
    }

    private static func form(_ fields: [(name: String, value: Value)]) -> [UInt8] {
        let pairs = fields.map { name, value in
            switch value {
            case .string(let text): "\(name)=\(PercentEncoding.encode(text))"
            case .int(let number): "\(name)=\(number)"
            }
        }
        return Array(pairs.joined(separator: "&").utf8)
    }

    private static let descriptions = [
        "authorization_pending": "The authorization request is still pending.",
        "slow_down": "Too many requests have been made in the same timeframe.",
        "expired_token": "The device_code has expired.",
        "unsupported_grant_type": "The grant type is not supported.",
        "incorrect_client_credentials": "The client_id and/or client_secret passed are incorrect.",
        "incorrect_device_code": "The device_code provided is not valid.",
        "access_denied": "The authorization request was denied.",
        "device_flow_disabled": "Device Flow must be explicitly enabled for this App",
        "bad_verification_code": "The code passed is incorrect or expired.",
        "redirect_uri_mismatch":
            "The redirect_uri MUST match the registered callback URL for this application.",
    ]
}
