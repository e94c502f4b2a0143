import Foundation

/// The page that a page without text sends its readers to, by a `meta` element or a script.
package enum PageRedirect {
    /// In bytes. Longer pages are articles.
    private static let maximumLength = 200_000
    /// In seconds. Pages that wait longer have something to read, or load again.
    private static let maximumDelay = 10.0
    /// A script's redirect counts only on a page with fewer words, because articles have many scripts.
    private static let maximumWords = 30

    /// Returns an absolute http or https address, or nil.
    package static func target(of html: [UInt8], charset: String?, url: String) -> String? {
        guard html.count <= maximumLength,
            let tree = try? PageTree(TextDecoding.utf8(html, headerCharset: charset))
        else { return nil }
        let addresses = PageAddresses(url: url, tree: tree)
        let target = refresh(in: tree) ?? (words(of: tree) < maximumWords ? location(in: html) : nil)
        guard let target = target.flatMap({ addresses.absolute($0) }), !isSame(target, url) else {
            return nil
        }
        return target
    }

    private static func isSame(_ target: String, _ url: String) -> Bool {
        func page(_ text: String) -> Substring { text.prefix { $0 != "#" } }
        return page(target) == page(url)
    }

    /// The address in `<meta http-equiv="refresh" content="0; url=...">`. In `noscript` it is for other browsers.
    private static func refresh(in tree: PageTree) -> String? {
        for index in 0..<tree.count where tree.nodes[index].tag == .meta {
            guard tree.text(.httpEquiv, of: index)?.lowercased() == "refresh", !isInNoscript(index, tree),
                let content = tree.text(.content, of: index)
            else { continue }
            let parts = content.utf8.split(maxSplits: 1) {
                $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",")
            }
            guard parts.count == 2, let delay = Double(text(parts[0])), delay <= maximumDelay else {
                continue
            }
            var target = text(parts[1])
            if target.lowercased().hasPrefix("url") {
                let rest = text(target.utf8.dropFirst(3))
                if rest.hasPrefix("=") { target = text(rest.utf8.dropFirst()) }
            }
            target = target.trimmingCharacters(in: ["\"", "'"])
            if !target.isEmpty { return target }
        }
        return nil
    }

    private static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: Array(bytes), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func isInNoscript(_ index: Int, _ tree: PageTree) -> Bool {
        var parent = tree.parent(index)
        // A `meta` element is at the top of its page.
        for _ in 0..<20 where parent >= 0 {
            if tree.nodes[parent].tag == .noscript { return true }
            parent = tree.parent(parent)
        }
        return false
    }

    private static func words(of tree: PageTree) -> Int {
        var (words, index) = (0, 0)
        while index < tree.count, words < maximumWords {
            switch tree.nodes[index].tag {
            case .head, .noscript: index = tree.end(index)
            case .text:
                words += WordCount.of(tree.bytes(of: index))
                index += 1
            default: index += 1
            }
        }
        return words
    }

    /// The address that a script assigns to the page's location: `location.href = "..."`, `location.replace("...")`.
    private static func location(in html: [UInt8]) -> String? {
        let small = html.map(PageText.lower)
        guard let script = small.firstRange(of: Array("<script".utf8)) else { return nil }
        var rest = script.upperBound
        while let found = small[rest...].firstRange(of: Array("location".utf8)) {
            rest = found.upperBound
            var index = rest
            for name in [".href", ".replace", ".assign"] where small[index...].starts(with: name.utf8) {
                index += name.utf8.count
                break
            }
            func skipSpace() { while index < html.count, PageText.isSpace(html[index]) { index += 1 } }
            skipSpace()
            guard index < html.count, html[index] == UInt8(ascii: "=") || html[index] == UInt8(ascii: "(")
            else {
                continue
            }
            index += 1
            skipSpace()
            guard index < html.count, html[index] == UInt8(ascii: "\"") || html[index] == UInt8(ascii: "'"),
                let end = html[(index + 1)...].firstIndex(of: html[index]), end - index <= 2_000
            else { continue }
            // Scripts escape slashes: "https:\/\/example.org".
            let target = text(html[(index + 1)..<end].filter { $0 != UInt8(ascii: "\\") })
            if !target.isEmpty { return target }
        }
        return nil
    }
}
