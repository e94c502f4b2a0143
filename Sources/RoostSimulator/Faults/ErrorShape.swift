/// The shapes in which CoinGecko and what stands before it word an error.
package enum ErrorShape: String, Sendable, CaseIterable {
    /// `{"status":{"error_code":429,"error_message":"..."}}`
    case status
    /// `{"error":{"status":{"error_code":429,"error_message":"..."}}}`
    case nested
    /// `{"error":"..."}`
    case message
    /// `{"status":500,"error":"..."}`
    case numbered
    /// `Throttled`, as plain text.
    case text
    /// `error code: 1015`, as plain text: Cloudflare's.
    case blocked = "1015"
    /// A page for people.
    case html
}
