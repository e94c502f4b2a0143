import TextFormats

/// Detects that a paywall or a sign-in cut the article's text.
///
/// A page that only calls itself paid is not enough: many send the whole text and cover it by a script.
public enum Paywall: Sendable, Equatable {
    /// The page's metadata says that the article is not free, and its text is short.
    case declared
    /// The text ends at a notice that asks visitors to subscribe or sign in.
    case shown

    /// In words. Sites that cut their articles show less.
    private static let (maximumDeclared, maximumShown) = (400, 600)
    /// In words. A longer element is not a notice, but has the text in it.
    private static let maximumNotice = 150
    private static let maximumPhraseBlock = 40
    /// Words of other texts that the extraction may have chosen after the notice.
    private static let maximumAfterNotice = 40
    private static let minimumPaidPart = 60

    init?(_ page: PageBlocks, _ facts: PageFacts, chosen: [Bool], words: Int) {
        guard words > 0, facts.data.isFree != true else { return nil }
        if words <= Self.maximumShown, Self.isShown(page, chosen: chosen) {
            self = .shown
        } else if Self.isDeclared(facts), Self.isCut(page, facts, words: words) {
            self = .declared
        } else {
            return nil
        }
    }

    // MARK: Declared

    private static func isDeclared(_ facts: PageFacts) -> Bool {
        facts.data.isFree == false || facts.meta["article:content_tier"]?.lowercased() == "locked"
            || facts.meta["isaccessibleforfree"]?.lowercased() == "false"
    }

    /// Compares with the length that the page declares. Without one, looks for the paid part.
    private static func isCut(_ page: PageBlocks, _ facts: PageFacts, words: Int) -> Bool {
        if let whole = facts.data.wordCount, whole > 0 { return words * 5 < whole * 4 }
        // This text may be cut, too.
        let body = WordCount.of((facts.data.body ?? "").utf8)
        if words * 5 < body * 4 { return true }
        return max(words, body) < maximumDeclared && !hasPaidPart(page, facts)
    }

    private static func hasPaidPart(_ page: PageBlocks, _ facts: PageFacts) -> Bool {
        let names = Set(facts.data.paidSelectors.flatMap(names))
        guard !names.isEmpty else { return false }
        let tree = page.tree
        return (0..<tree.count).contains { node in
            Self.names(of: node, in: tree).contains(where: names.contains)
                && words(page, page.blocks(in: node)) >= minimumPaidPart
        }
    }

    /// The class or id at the end of each selector: ".article .paid, #rest" has "paid" and "rest".
    private static func names(in selectors: String) -> [String] {
        selectors.splitBytes(at: ",").compactMap { selector in
            let name = String(selector).trimmed.utf8.split { ".#>: []".utf8.contains($0) }.last
            return name.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    private static func names(of node: Int, in tree: PageTree) -> [String] {
        [PageAttribute.class, .id].flatMap { name in
            (tree.value(name, of: node) ?? []).split(whereSeparator: PageText.isSpace).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
    }

    // MARK: Shown

    private static func isShown(_ page: PageBlocks, chosen: [Bool]) -> Bool {
        guard let first = chosen.firstIndex(of: true) else { return false }
        /// The number of chosen words from each block on.
        var rest = [Int](repeating: 0, count: chosen.count + 1)
        for index in chosen.indices.reversed() {
            rest[index] = rest[index + 1] + (chosen[index] ? Int(page.blocks[index].words) : 0)
        }
        func isAtEnd(_ blocks: Range<Int>) -> Bool {
            blocks.lowerBound > first && rest[blocks.upperBound] <= maximumAfterNotice
        }
        let tree = page.tree
        let hasNotice = (0..<tree.count).contains { node in
            isNamedWall(node, in: tree) && isAtEnd(page.blocks(in: node)) && isNotice(node, page)
        }
        return hasNotice
            || page.blocks.indices.contains { index in
                let block = page.blocks[index]
                return (3...maximumPhraseBlock).contains(Int(block.words)) && !block.isHidden
                    && block.linkWords * 2 < block.words && isAtEnd(index..<index + 1)
                    && hasPhrase(page.bytes(of: index))
            }
    }

    /// Whether an element is a short visible notice with something to click.
    private static func isNotice(_ node: Int, _ page: PageBlocks) -> Bool {
        let blocks = page.blocks(in: node)
        let isShort = (3...maximumNotice).contains(words(page, blocks))
        return isShort && !page.blocks[blocks].contains(where: \.isHidden)
            && (node..<page.tree.end(node)).contains { inner in
                [.a, .button, .form, .input].contains(page.tree.nodes[inner].tag)
            }
    }

    private static func words(_ page: PageBlocks, _ blocks: Range<Int>) -> Int {
        page.blocks[blocks].reduce(0) { $0 + Int($1.words) }
    }

    private static func isNamedWall(_ node: Int, in tree: PageTree) -> Bool {
        [PageAttribute.class, .id, .dataTestid].contains { name in
            guard let value = tree.value(name, of: node), PageText.contains(value, "wall") else {
                return false
            }
            return wallNames.contains { PageText.contains(value, $0) }
        }
    }

    private static let wallNames: [StaticString] = [
        "paywall", "pay-wall", "pay_wall", "regwall", "reg-wall", "loginwall", "login-wall",
        "registration-wall", "subscription-wall", "subscriber-wall",
    ]

    private static func hasPhrase(_ text: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: text, as: UTF8.self).lowercased().replacingBytes(of: "’", with: "'")
        return phrases.contains { text.containsBytes($0) }
    }

    /// Each names this text and what the reader must do, because labels such as "for subscribers" also stand next to
    /// links to other articles.
    private static let phrases = [
        "subscribe to continue reading", "subscribe to keep reading", "subscribe to read the full",
        "subscribe to read the rest", "sign in to continue reading", "sign in to keep reading",
        "sign in to read the full", "log in to continue reading", "log in to read the full",
        "sign up to continue reading", "register to continue reading", "account to continue reading",
        "this article is for subscribers", "this article is for members", "this article is only available to",
        "this story is for subscribers", "this post is for paid subscribers",
        "this post is for paying subscribers", "this content is for members only",
        "abonnieren und weiterlesen", "anmelden und weiterlesen", "anmelden, um weiterzulesen",
        "jetzt weiterlesen mit", "diesen artikel weiterlesen", "dieser artikel ist nur für abonnent",
        "dieser artikel ist exklusiv für", "cet article est réservé aux abonnés",
        "la suite est réservée aux abonnés", "de cet article à lire", "abonnez-vous pour lire la suite",
        "connectez-vous pour lire la suite", "suscríbete para seguir leyendo",
        "inicia sesión para seguir leyendo", "este artículo es exclusivo para suscriptores",
        "abbonati per continuare a leggere", "accedi per continuare a leggere",
        "questo articolo è riservato agli abbonati", "assine para continuar lendo",
        "inicie sessão para continuar a ler", "log in om verder te lezen", "abonneer je om verder te lezen",
        "zaloguj się, aby czytać dalej", "logga in för att läsa vidare", "log ind for at læse videre",
        "logg inn for å lese videre", "войдите, чтобы продолжить чтение",
        "подпишитесь, чтобы продолжить чтение", "この記事は有料会員限定", "この記事は会員限定",
        "ログインして続きを読む", "订阅后继续阅读", "登录后继续阅读", "로그인 후 계속 읽기",
    ]
}
