import TextFormats

/// Where the links "Share to chat" of other features' pages lead: a page that asks in which conversation to put the
/// text.
enum ShareAddress {
    static func of(_ text: String) -> String { "/chat/new?text=\(PercentEncoding.encode(text))" }
}
