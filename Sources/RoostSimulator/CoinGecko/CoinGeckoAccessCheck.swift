/// The checks that CoinGecko makes before it looks at the path: User-Agent and API keys.
///
/// Source: docs.coingecko.com, "Errors & Rate Limits"; the User-Agent has been mandatory since January 2026.
struct CoinGeckoAccessCheck: Sendable {
    let keys: SimulatorKeys
    let errors: CoinGeckoErrors

    func refusal(of request: SimulatedRequest) -> SimulatedResponse? {
        guard let agent = request.userAgent, !agent.isEmpty else {
            return .failure(403, errors.missingUserAgent)
        }
        guard keys.demo != nil || keys.pro != nil else { return nil }
        if let key = request.proKey {
            return verdict(
                key, expected: keys.pro,
                wrongHost: (
                    10010,
                    "If you are using Pro API key, please "
                        + "change your root URL from api.coingecko.com to pro-api.coingecko.com"
                ))
        }
        if let key = request.demoKey {
            return verdict(
                key, expected: keys.demo,
                wrongHost: (
                    10011,
                    "If you are using Demo API key, please "
                        + "change your root URL from pro-api.coingecko.com to api.coingecko.com"
                ))
        }
        // The free host also responds without a key; the paid one does not.
        return keys.demo != nil ? nil : unauthorised("API Key Missing")
    }

    private func verdict(
        _ key: String, expected: String?, wrongHost: (code: Int, message: String)
    ) -> SimulatedResponse? {
        guard let expected else {
            return .failure(400, CoinGeckoErrors.status(wrongHost.code, wrongHost.message))
        }
        return key == expected ? nil : unauthorised("Incorrect API Key")
    }

    private func unauthorised(_ message: String) -> SimulatedResponse {
        .failure(401, CoinGeckoErrors.status(10002, message))
    }
}

/// Keys that the simulated CoinGecko accepts. With neither set, keys are not checked.
///
/// With only `demo` it acts as `api.coingecko.com`, with only `pro` as `pro-api.coingecko.com`, with both as
/// either.
package struct SimulatorKeys: Sendable, Equatable {
    var demo: String?
    var pro: String?
}
