import HTMLDocument

/// The readers' comments on a page, which are not part of its article.
///
/// They are recognised by their markup: an element of a list of comments, one with schema.org's type, or one whose
/// class or id says so and that names an author or a time. A page of which hardly anything else remains, such as a
/// single comment's page, keeps them in its text.
struct PageComments {
    /// The elements with a comment each. Answers are inside the comments that they answer.
    private(set) var items: Set<Int> = []
    /// The elements around `items`.
    private(set) var around: Set<Int> = []
    /// The article's blocks, without those of the comments.
    private(set) var article: [Bool]
    /// The comments' blocks, without buttons and forms.
    private var chosen: [Bool]
    private var isCut = false

    private static let maximumItems = 500
    /// Of their text.
    private static let maximumBytes = 200_000
    /// An article with fewer words keeps its comments, because they may be what the page is about.
    private static let minimumArticleWords = 40
    private static let notice = "There are more comments on the original page."

    /// Returns nil if no comments are recognised. The posts of a forum are its content.
    init?(_ page: PageBlocks, _ facts: PageFacts, url: String?, article: [Bool]) {
        guard !Self.isForum(page, facts, url: url) else { return nil }
        self.article = article
        chosen = [Bool](repeating: false, count: page.blocks.count)
        let marks = Marks(page)
        var region = chosen
        for range in marks.ranges { for block in page.blocks(in: range) { region[block] = true } }
        var (kept, removed) = (0, 0)
        for block in page.blocks.indices where article[block] {
            let words = Int(page.blocks[block].words)
            if region[block] { removed += words } else { kept += words }
        }
        guard !marks.items.isEmpty, removed == 0 || kept >= Self.minimumArticleWords else { return nil }
        for block in page.blocks.indices where region[block] { self.article[block] = false }
        choose(page, marks)
        for item in items {
            var parent = page.tree.parent(item)
            while parent >= 0, around.insert(parent).inserted { parent = page.tree.parent(parent) }
        }
    }

    private static let forumHosts: Set = ["forum", "forums", "board", "boards", "community", "lemmy"]

    private static func isForum(_ page: PageBlocks, _ facts: PageFacts, url: String?) -> Bool {
        let generator = (facts.meta["generator"] ?? "").lowercased()
        let host = url.flatMap { $0.splitBytes(at: "/").dropFirst().first } ?? ""
        return facts.data.types.contains("DiscussionForumPosting")
            || ["discourse", "phpbb", "xenforo", "vbulletin", "lemmy"].contains(where: generator.hasPrefix)
            || host.splitBytes(at: ".").dropLast().contains { forumHosts.contains($0.lowercased()) }
            || (0..<page.tree.count).contains { node in
                page.tree.value(.itemtype, of: node).map {
                    PageText.contains($0, "discussionforumposting")
                } ?? false
                    || page.tree.value(.class, of: node).map {
                        // Lemmy's threads say nothing else.
                        PageText.contains($0, "comment-node")
                    } ?? false
            }
    }

    private mutating func choose(_ page: PageBlocks, _ marks: Marks) {
        var bytes = 0
        for item in marks.items.prefix(Self.maximumItems) {
            let blocks = page.blocks(in: item)
            let isHidden = page.blocks[blocks].allSatisfy(\.isHidden)
            for block in blocks where !chosen[block] && marks.isContent(block, isHidden: isHidden, of: page) {
                bytes += page.bytes(of: block).count
                guard bytes <= Self.maximumBytes else {
                    isCut = true
                    return
                }
                chosen[block] = true
            }
            items.insert(item)
        }
        isCut = marks.items.count > Self.maximumItems
    }

    /// Each comment is a `blockquote`, with its answers inside. Nil if the comments have no text.
    func markup(_ page: PageBlocks, addresses: PageAddresses) -> CleanMarkup? {
        guard chosen.contains(true) else { return nil }
        var writer = MarkupWriter(page, chosen: chosen, title: nil, addresses: addresses, comments: self)
        let markup = writer.write()
        guard isCut || writer.isCut else { return markup }
        return CleanMarkup(
            cleaned: markup.html + "<p lang=\"en\" dir=\"ltr\"><em>\(Self.notice)</em></p>")
    }
}

extension PageComments {
    /// The elements of a page that hold comments.
    fileprivate struct Marks {
        private(set) var items: [Int] = []
        /// Outermost lists with comments, and comments outside of lists.
        private(set) var ranges: [Int] = []
        /// For each node, whether it is in a form, a button, or a part for answering, voting or sharing.
        private var isControl: [Bool]
        /// For each block, how many before it have words of their own.
        private var ownWords = [0]
        /// Closed lists without comments, and their ends.
        private var emptyLists: [Int: Int] = [:]

        private static func hashes(_ names: String) -> Set<UInt64> {
            Set(names.splitBytes(at: " ").map { PageHash.of($0.utf8) })
        }

        private static let lists = hashes(
            """
            comments comment-list commentlist comments-list comment_list comments_list comments__list \
            comment-section comments-section comments-area comments-container comments-wrapper comments-content \
            comment-thread comments-thread commentthread article-comments post-comments reader-comments \
            user-comments page-comments disqus_thread wpd-threads wpd-thread-list kommentare kommentarliste \
            comment-stream comentarios commentaires commenti reacties kommentarer
            """)
        private static let comments = hashes(
            """
            comment comment-item comment_item comment__item comment-entry comment-container commentaire \
            comentario kommentar reactie wpd-comment user-comment reader-comment
            """)
        private static let facts = hashes(
            """
            author comment-author comment__author comment-meta comment-metadata comment-date comment-time \
            comment-header comment-info commentauthor commenter fn vcard username user-name user date time \
            timestamp
            """)
        private static let controls = hashes(
            """
            reply replies-toggle reply-link comment-reply comment-reply-link comment-respond comment-form \
            comment-actions comment__actions comment-controls comment-footer-actions comment-tools respond \
            actions vote votes voting likes like-button share sharing report flag edit-link \
            screen-reader-text visually-hidden sr-only
            """)
        /// Links and buttons of single comments.
        private static let labels = hashes(
            """
            reply reply→ answer answer↓ permalink report share like edit quote flag delete antworten melden teilen \
            zitieren répondre partager signaler responder denunciar compartir rispondi segnala beantwoorden \
            reageer svara svar odpowiedz ответить 回复 返信 返信する 답글
            """)

        init(_ page: PageBlocks) {
            let tree = page.tree
            isControl = [Bool](repeating: false, count: tree.count)
            // The open lists, and the open comments with their first blocks.
            var lists: [(node: Int, end: Int, hasItems: Bool)] = []
            var open: [(end: Int, first: Int)] = []
            var titles: [Int32] = [0]
            titles.reserveCapacity(tree.count + 1)
            for node in tree.nodes { titles.append(titles[titles.count - 1] + (node.tag == .h1 ? 1 : 0)) }
            for index in 0..<tree.count {
                let parent = tree.parent(index)
                isControl[index] = parent >= 0 && isControl[parent] || Self.isControl(index, tree)
            }
            ownWords.reserveCapacity(page.blocks.count + 1)
            for block in page.blocks.indices {
                ownWords.append(ownWords[block] + (hasOwnWords(block, page) ? 1 : 0))
            }
            for index in 0..<tree.count {
                while let last = lists.last, last.end <= index { close(&lists, page) }
                while let last = open.last, last.end <= index { open.removeLast() }
                let end = tree.end(index)
                let blocks = page.blocks(in: index)
                guard tree.nodes[index].tag.isBlock, Self.mayHold(tree.nodes[index].tag), !blocks.isEmpty,
                    titles[end] == titles[index]
                else { continue }
                if Self.has(Self.lists, index, tree) {
                    lists.append((index, end, false))
                } else if !isControl[index], open.last?.first != blocks.lowerBound,
                    Self.isComment(index, isListed: !lists.isEmpty, tree)
                {
                    if lists.isEmpty, open.isEmpty { ranges.append(index) }
                    if !lists.isEmpty { lists[lists.count - 1].hasItems = true }
                    open.append((end, blocks.lowerBound))
                    items.append(index)
                }
            }
            while !lists.isEmpty { close(&lists, page) }
            items.sort()
        }

        /// A list without marked comments has one in each of its items. Lists inside that have none are not searched again.
        private mutating func close(
            _ lists: inout [(node: Int, end: Int, hasItems: Bool)], _ page: PageBlocks
        ) {
            guard let list = lists.popLast() else { return }
            var hasItems = list.hasItems
            if !hasItems {
                let tree = page.tree
                var index = list.node + 1
                while index < list.end {
                    if let end = emptyLists[index] {
                        index = end
                        continue
                    }
                    let blocks = page.blocks(in: index)
                    guard [.li, .article].contains(tree.nodes[index].tag), !isControl[index],
                        ownWords[blocks.upperBound] > ownWords[blocks.lowerBound]
                    else {
                        index += 1
                        continue
                    }
                    hasItems = true
                    items.append(index)
                    index = tree.end(index)
                }
            }
            guard hasItems else {
                emptyLists[list.node] = list.end
                return
            }
            if lists.isEmpty {
                ranges.append(list.node)
            } else {
                lists[lists.count - 1].hasItems = true
            }
        }

        private func hasOwnWords(_ block: Int, _ page: PageBlocks) -> Bool {
            page.blocks[block].words > page.blocks[block].linkWords
                && !isControl[Int(page.blocks[block].container)]
        }

        /// - Parameter isHidden: whether the whole comment is hidden until a script shows it
        func isContent(_ block: Int, isHidden: Bool, of page: PageBlocks) -> Bool {
            let text = page.blocks[block]
            guard !isControl[Int(text.container)], isHidden || !text.isHidden else { return false }
            guard text.words == text.linkWords, text.words < 3 else { return true }
            let label = page.bytes(of: block).lazy.filter { !PageText.isSpace($0) }.map(PageText.lower)
            return !Self.labels.contains(PageHash.of(label))
        }

        private static func mayHold(_ tag: PageTag) -> Bool {
            switch tag {
            case .html, .body, .main, .td, .th, .caption, .pre, .p, .figure, .figcaption: false
            default: tag.headingLevel == 0
            }
        }

        private static func isControl(_ node: Int, _ tree: PageTree) -> Bool {
            switch tree.nodes[node].tag {
            case .form, .fieldset, .button, .label, .legend, .nav, .select: true
            case .text: false
            default: has(controls, node, tree)
            }
        }

        private static func isComment(_ node: Int, isListed: Bool, _ tree: PageTree) -> Bool {
            if let type = tree.value(.itemtype, of: node)?.map(PageText.lower),
                type.ends(with: "/comment".utf8) || type.ends(with: "/usercomments".utf8)
            {
                return true
            }
            if tree.value(.itemprop, of: node)?.elementsEqual("comment".utf8) ?? false { return true }
            guard has(comments, node, tree) || hasNumber(node, tree) else { return false }
            return isListed || namesAuthor(node, tree)
        }

        /// True for an id such as "comment-12".
        private static func hasNumber(_ node: Int, _ tree: PageTree) -> Bool {
            guard let id = tree.value(.id, of: node) else { return false }
            let name = id.prefix { $0 &- 0x30 >= 10 }
            return name.count < id.count && id.dropFirst(name.count).allSatisfy { $0 &- 0x30 < 10 }
                && ["comment-", "comment", "comment_", "li-comment-", "cmt-"].contains {
                    name.elementsEqual($0.utf8)
                }
        }

        /// How many nodes of a comment are searched for its author.
        private static let maximumNodes = 200

        private static func namesAuthor(_ node: Int, _ tree: PageTree) -> Bool {
            (node..<min(tree.end(node), node + maximumNodes)).contains {
                tree.nodes[$0].tag == .time || tree.nodes[$0].tag != .text && has(facts, $0, tree)
            }
        }

        /// Whether one of the element's classes, or its id, is in the set.
        private static func has(_ names: Set<UInt64>, _ node: Int, _ tree: PageTree) -> Bool {
            [PageAttribute.class, .id].contains { attribute in
                tree.value(attribute, of: node)?.split(whereSeparator: PageText.isSpace).contains {
                    names.contains(PageHash.of($0.lazy.map(PageText.lower)))
                } ?? false
            }
        }
    }
}

extension Array<UInt8> {
    fileprivate func ends(with end: some BidirectionalCollection<UInt8>) -> Bool {
        suffix(end.count).elementsEqual(end)
    }
}
