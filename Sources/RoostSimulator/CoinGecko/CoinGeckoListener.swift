/// What CoinGecko checks before it looks at the path: the User-Agent and the keys.
///
/// Source: docs.coingecko.com, "Errors & Rate Limits"; the User-Agent has been mandatory since January 2026.
struct CoinGeckoListener: Sendable {
    let keys: SimulatorKeys
    let errors: CoinGeckoErrors

    /// `nil` lets the request in.
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
        // The free host answers without a key as well, the paid one does not.
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

/// Keys that the simulated CoinGecko accepts; with none configured it does not look at keys.
///
/// Only `demo`: the simulator is `api.coingecko.com`. Only `pro`: it is `pro-api.coingecko.com`. Both:
/// either.
package struct SimulatorKeys: Sendable, Equatable {
    var demo: String?
    var pro: String?
}
