import HTMLTemplates

/// The text of a message as HTML. Only its own fixed elements are literal; everything typed is escaped.
struct MessageText: HTMLText, Sendable {
    private let parts: [MessageMarkup.Part]

    /// - Parameter members: the user names to highlight after an `@`
    init(_ text: String, members: [String] = []) {
        parts = MessageMarkup.parts(of: text, names: Set(members.map { $0.lowercased() }))
    }

    var links: [String] {
        var found: [String] = []
        for case .openLink(let address) in parts where !found.contains(address) { found.append(address) }
        return found
    }

    /// The text without markup, for previews of one line.
    static func plain(_ text: String) -> String {
        MessageMarkup.parts(of: text, names: []).reduce(into: "") { plain, part in
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
        for part in parts {
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
            case .openLink(let address): writeLink(address, into: &html)
            case .closeLink: html.literal("</a>")
            case .mention(let name):
                html.literal("<span class=\"mention\">@")
                html.text(name)
                html.literal("</span>")
            }
        }
    }

    /// Roost's own pages open in the same tab. Others open in a new one, without access to this page or its address.
    private func writeLink(_ address: String, into html: inout HTMLBuffer) {
        html.literal("<a href=\"")
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
