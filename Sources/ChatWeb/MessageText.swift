import Chat
import HTMLTemplates
import TextFormats

/// The text of a message as HTML. Only its own fixed elements are literal; everything typed is escaped.
struct MessageText: HTMLText, Sendable {
    private let parts: [MessageMarkup.Part]
    /// An address that the link's card replaces where there is one, as in the text of a command.
    private let replaceable: Range<Int>?

    /// - Parameter members: the user names to highlight after an `@`
    init(_ text: String, members: [String] = []) {
        parts = MessageMarkup.parts(of: text, names: Set(members.map { $0.lowercased() }))
        replaceable = Self.replaceable(in: parts)
    }

    var links: [String] {
        var found: [String] = []
        for case .openLink(let address) in parts where !found.contains(address) { found.append(address) }
        return found
    }

    /// Returns the only link of a text, if its address is shown at the end and the card opens the same page: a path on
    /// this server, or a pull request's address alone.
    private static func replaceable(in parts: [MessageMarkup.Part]) -> Range<Int>? {
        let links = parts.indices.filter { if case .openLink = parts[$0] { true } else { false } }
        guard links.count == 1, let start = links.first, start + 3 == parts.count,
            case .openLink(let address) = parts[start], case .text(let label) = parts[start + 1],
            case .closeLink = parts[start + 2], label == MessageMarkup.shortened(address)
        else { return nil }
        let isPull = start == 0 && address.wholeMatch(of: #/https?://.+/pull/[0-9]+/#) != nil
        return isPull || address.utf8.first == UInt8(ascii: "/") ? start..<parts.count : nil
    }

    /// The text without markup, for previews of one line. A path is left out if there are words, too.
    static func plain(_ text: String) -> String {
        let parts = MessageMarkup.parts(of: text, names: [])
        guard let path = replaceable(in: parts) else { return plain(parts[...]) }
        let words = plain(parts[..<path.lowerBound])
        return words.isBlank ? plain(parts[...]) : words
    }

    private static func plain(_ parts: ArraySlice<MessageMarkup.Part>) -> String {
        parts.reduce(into: "") { plain, part in
            switch part {
            case .text(let text), .code(let text): plain += text
            case .codeBlock(let code): plain += " \(code) "
            case .mention(let name): plain += "@\(name)"
            case .openQuote, .closeQuote: plain += " "
            case .open, .close, .openLink, .closeLink: break
            }
        }
    }

    func write(into html: inout HTMLBuffer) {
        for (index, part) in parts.enumerated() {
            switch part {
            case .text(let text): html.text(text)
            case .open(.bold): html.literal("<b>")
            case .close(.bold): html.literal("</b>")
            case .open(.italic): html.literal("<i>")
            case .close(.italic): html.literal("</i>")
            case .open(.strike): html.literal("<s>")
            case .close(.strike): html.literal("</s>")
            case .code(let code):
                html.literal("<code>")
                html.text(code)
                html.literal("</code>")
            case .codeBlock(let code):
                html.literal("<pre dir=\"ltr\" tabindex=\"0\"><code>")
                html.text(code)
                html.literal("</code></pre>")
            case .openQuote: html.literal("<blockquote>")
            case .closeQuote: html.literal("</blockquote>")
            case .openLink(let address):
                writeLink(address, isReplaceable: replaceable?.lowerBound == index, into: &html)
            case .closeLink: html.literal("</a>")
            case .mention(let name):
                html.literal("<span class=\"mention\">@")
                html.text(name)
                html.literal("</span>")
            }
        }
    }

    /// Roost's own pages open in the same tab. Others open in a new one, without access to this page or its address.
    private func writeLink(_ address: String, isReplaceable: Bool, into html: inout HTMLBuffer) {
        html.literal(isReplaceable ? "<a class=\"replaceable\" href=\"" : "<a href=\"")
        html.text(address)
        if address.utf8.first == UInt8(ascii: "/") {
            html.literal("\">")
        } else {
            html.literal("\" title=\"")
            html.text(address)
            html.literal("\" target=\"_blank\" rel=\"noopener noreferrer nofollow\">")
        }
    }
}
