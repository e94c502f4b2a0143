import HTMLDocument

/// HTMLDocument: the links of a page, whatever is wrong with its HTML.
enum PageLinks {
    struct Link {
        let address: String
        var text = ""
    }

    /// Throws `HTMLDocument.ParseError` for a page that would take too long to read.
    static func find(in html: [UInt8]) throws(HTMLDocument.ParseError) -> [Link] {
        var links: [Link] = []
        var isInLink = false
        try HTMLDocument.walk(html, limits: .page) { event in
            switch event {
            case .start(let element) where element.name == "a":
                guard let address = element["href"] else { break }
                links.append(Link(address: address))
                isInLink = true
            case .text(let text) where isInLink: links[links.count - 1].text += text
            case .end("a"): isInLink = false
            default: break
            }
            return true  // false would stop
        }
        return links
    }
}
