import Foundation

/// Classifies a page by binary features: words of its address, types of its linked data, classes of its body, words of
/// its buttons and headings, and its shares of prose and links.
struct KindModel {
    private let weights: [UInt64: [Float]]
    private let base: [Float]

    /// - Parameter table: a feature and its weights on each line, in hundredths; "*" is the base of all pages
    init(table: String) {
        var weights: [UInt64: [Float]] = [:]
        var base = [Float](repeating: 0, count: PageKind.allCases.count)
        for line in table.split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard let feature = parts.first else { continue }
            let numbers = parts.dropFirst().map { (Float($0) ?? 0) / 100 }
            guard numbers.count == base.count else { continue }
            if feature == "*" { base = numbers } else { weights[PageHash.of(feature.utf8)] = numbers }
        }
        self.weights = weights
        self.base = base
    }

    func probabilities(_ features: Set<UInt64>) -> [Float] {
        var sums = base
        // In a fixed order, because the sums of floats depend on it.
        for feature in features.sorted() {
            guard let weight = weights[feature] else { continue }
            for index in sums.indices { sums[index] += weight[index] }
        }
        let highest = sums.max() ?? 0
        let powers = sums.map { exp($0 - highest) }
        let all = powers.reduce(0, +)
        return powers.map { $0 / all }
    }
}

/// The features that determine a page's kind, as texts such as "url:forum", "ld:Product", "w:reply" or "links:5".
struct KindFeatures {
    static func each(_ page: PageBlocks, _ facts: PageFacts, url: String?, _ body: (String) -> Void) {
        address(url, body)
        for type in Set(facts.data.types) { body("ld:\(type)") }
        if let type = facts.meta["og:type"] { body("og:\(type.lowercased())") }
        for name in [
            "article:published_time", "product:price:amount", "author", "twitter:label1", "article:section",
        ]
        where facts.meta[name] != nil { body("meta:\(name)") }
        if let generator = facts.meta["generator"]?.lowercased().split(whereSeparator: { !$0.isLetter }).first
        {
            body("gen:\(generator)")
        }
        shape(page, facts, body)
        words(page, body)
        if let node = (0..<page.tree.count).first(where: { page.tree.nodes[$0].tag == .body }) {
            ClassTokens.each(of: node, in: page.tree) { body("body:" + String(decoding: $0, as: UTF8.self)) }
        }
    }

    private static func address(_ url: String?, _ body: (String) -> Void) {
        guard let url, let scheme = url.firstRange(of: "://") else { return }
        let rest = url[scheme.upperBound...]
        let host = rest.prefix { $0 != "/" && $0 != "?" }
        for label in host.lowercased().split(separator: ".").dropLast() { body("host:\(label)") }
        let path = rest.dropFirst(host.count).prefix { $0 != "?" && $0 != "#" }.lowercased()
        let steps = path.split(separator: "/")
        body("steps:\(min(steps.count, 5))")
        if rest.contains("?") { body("url:?") }
        for (index, step) in steps.enumerated() {
            for token in step.split(whereSeparator: { !$0.isLetter })
            where token.count > 1 && token.count < 16 {
                if index < steps.count - 1 || steps.count == 1 || step.count < 20 { body("url:\(token)") }
            }
        }
        if let last = steps.last {
            body("dashes:\(min(last.split(separator: "-").count, 6))")
            if last.contains(where: \.isNumber) { body("url:9") }
        }
        if steps.contains(where: { $0.utf8.count == 4 && $0.hasPrefix("20") && Int($0) != nil }) {
            body("url:2000")
        }
    }

    private static func shape(_ page: PageBlocks, _ facts: PageFacts, _ body: (String) -> Void) {
        let blocks = page.blocks
        let words = blocks.reduce(0) { $0 + Int($1.words) }
        let linked = blocks.reduce(0) { $0 + Int($1.linkWords) }
        let prose = blocks.reduce(0) {
            $0 + ($1.words >= 20 && $1.linkWords * 4 < $1.words ? Int($1.words) : 0)
        }
        let code = blocks.reduce(0) { $0 + ($1.isCode ? 1 : 0) }
        body("links:\(linked * 8 / max(words, 1))")
        body("prose:\(prose * 8 / max(words, 1))")
        body("words:\(Int(log2(Double(words + 1))))")
        body("code:\(min(code, 4))")
        body("articles:\(min(facts.articles, 4))")
        body("main:\(min(facts.mains, 1))")
        body("h1:\(min(facts.titles, 2))")
        let images = page.tree.nodes.reduce(0) { $0 + ($1.tag == .img ? 1 : 0) }
        body("images:\(Int(log2(Double(images + 1))))")
    }

    /// Words of short blocks (buttons, labels and headings), each once.
    private static func words(_ page: PageBlocks, _ body: (String) -> Void) {
        var seen: Set<UInt64> = []
        for (index, block) in page.blocks.enumerated() where block.words <= 4 {
            var word: [UInt8] = []
            func end() {
                if (3...14).contains(word.count), seen.insert(PageHash.of(word)).inserted {
                    body("w:" + String(decoding: word, as: UTF8.self))
                }
                word.removeAll(keepingCapacity: true)
            }
            for byte in page.bytes(of: index) {
                if (byte | 0x20) &- 0x61 < 26 { word.append(byte | 0x20) } else { end() }
            }
            end()
        }
    }
}

/// The purpose of a page, as estimated by `KindModel`. It influences which blocks are content.
public enum PageKind: String, Sendable, CaseIterable, Codable {
    case article
    case documentation
    /// The services of a company, a school or a public office.
    case service
    /// A question with answers, or a thread with posts.
    case forum
    case product
    /// Many items with links, such as articles, films or places.
    case listing
    case collection
}
