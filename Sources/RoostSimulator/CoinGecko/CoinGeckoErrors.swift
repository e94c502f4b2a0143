/// CoinGecko's error bodies, from public issues and recordings. A recordings folder can override them.
struct CoinGeckoErrors: Sendable, Equatable {
    var missingUserAgent = status(
        403,
        "Please add a descriptive User-Agent to your request. For higher rate limits & stable integration, "
            + "please subscribe to our API plans: https://www.coingecko.com/en/api/pricing .")
    var coinNotFound = #"{"error":"coin not found"}"#
    var missingCurrency = #"{"error":"Missing parameter vs_currency"}"#
    var missingIDs = #"{"error":"Missing parameter ids"}"#
    var rateLimited = status(
        429,
        "You've exceeded the Rate Limit. Please visit https://www.coingecko.com/en/api/pricing "
            + "to subscribe to our API plans for higher rate limits.")
    var throttled = "Throttled"
    var blocked = "error code: 1015"
    var internalError = #"{"status":500,"error":"Internal Server Error"}"#

    init() {}

    static func missing(_ parameter: String) -> String {
        #"{"error":"Missing parameter \#(parameter)"}"#
    }

    static func status(_ code: Int, _ message: String) -> String {
        #"{"status":{"error_code":\#(code),"error_message":"\#(message)"}}"#
    }

    static func nested(_ code: Int, _ message: String) -> String {
        #"{"error":\#(status(code, message))}"#
    }
}
