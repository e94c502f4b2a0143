import Foundation
import RoostSupport
import TextFormats

/// What of an inbox is shown, and in which order: pure, for pages and the JSON API alike.
package struct InboxFilter: Equatable, Sendable {
    /// Words that all have to stand in the title, the repository, the author, "#number" or a label.
    package var text = ""
    package var author = ""
    package var label = ""
    package var drafts = PullChoices.Drafts.shown
    package var hidesBots = false

    package init() {}

    /// As the user last chose it, without any words.
    package init(_ choices: PullChoices) {
        drafts = choices.drafts
        hidesBots = choices.hidesBots
    }

    /// Whether everything passes.
    package var isEmpty: Bool {
        text.isBlank && author.isBlank && label.isBlank && drafts == .shown && !hidesBots
    }

    package func holds(_ item: InboxItem) -> Bool { Prepared(self).holds(item) }

    /// The filter with its words made ready, for the many that are held against it.
    package struct Prepared: Sendable {
        private let filter: InboxFilter
        private let words: TextFilter
        private let author, label: FoldedText

        package init(_ filter: InboxFilter) {
            self.filter = filter
            words = TextFilter(filter.text, ignoresAccents: true)
            author = Self.folded(String(filter.author.trimmed.drop { $0 == "@" }))
            label = Self.folded(filter.label)
        }

        package func holds(_ item: InboxItem) -> Bool {
            let pull = item.pull
            if filter.hidesBots, pull.isFromBot { return false }
            switch filter.drafts {
            case .shown: break
            case .hidden: if pull.isDraft == true { return false }
            case .only: if pull.isDraft != true { return false }
            }
            if !author.bytes.isEmpty, Self.folded(pull.authorLogin) != author { return false }
            if !label.bytes.isEmpty, !pull.labels.contains(where: { Self.folded($0.name) == label }) {
                return false
            }
            guard !words.isEmpty else { return true }
            let texts = [pull.title, pull.repositoryFullName, pull.authorLogin, "#\(pull.number)"]
            return words.fits([FoldedText(lines: texts + pull.labels.map(\.name), ignoresAccents: true)])
        }

        private static func folded(_ text: String) -> FoldedText {
            FoldedText(lines: [text.trimmed], ignoresAccents: true)
        }
    }

    /// The same inbox with what passes; `waiting` and what is hidden stay.
    func applied(to inbox: Inbox, sort: PullChoices.Sort? = nil) -> Inbox {
        var inbox = inbox
        let prepared = Prepared(self)
        for place in inbox.sections.indices {
            if !isEmpty { inbox.sections[place].items.removeAll { !prepared.holds($0) } }
            if let sort { inbox.sections[place].items = Self.sorted(inbox.sections[place].items, by: sort) }
        }
        return inbox
    }

    /// Ties are broken by the key, so that two looks show the same order.
    package static func sorted(_ items: [InboxItem], by sort: PullChoices.Sort) -> [InboxItem] {
        order(of: items, by: sort).map { items[$0] }
    }

    /// The indices of the items in that order.
    package static func order(of items: [InboxItem], by sort: PullChoices.Sort) -> [Int] {
        let places = items.map { place($0, sort) }
        return items.indices.sorted { left, right in
            places[left] == places[right]
                ? items[left].key.description < items[right].key.description : places[left] < places[right]
        }
    }

    private static func place(_ item: InboxItem, _ sort: PullChoices.Sort) -> Double {
        switch sort {
        case .age: item.waitingSince.timeIntervalSince1970
        case .update: -item.pull.updatedAt.timeIntervalSince1970
        case .size: item.pull.size.map(Double.init) ?? .infinity
        }
    }

    /// A repository's pull requests within a section.
    package struct Group: Equatable, Sendable, Identifiable {
        /// "host/owner/name": two hosts may have the same.
        package let id: String
        /// "owner/name".
        package let name: String
        package let host: String
        package let items: [InboxItem]
    }

    /// The items by repository, each group where its first item stands.
    package static func grouped(_ items: [InboxItem]) -> [Group] {
        var order: [String] = []
        var groups: [String: [InboxItem]] = [:]
        for item in items {
            let id = "\(item.key.host)/\(item.pull.repositoryFullName)".lowercased()
            if groups[id] == nil { order.append(id) }
            groups[id, default: []].append(item)
        }
        return order.compactMap { id in
            guard let items = groups[id], let first = items.first else { return nil }
            return Group(id: id, name: first.pull.repositoryFullName, host: first.key.host, items: items)
        }
    }

    /// Everybody who wrote a pull request in this inbox, and every label, each once, in the order of the alphabet.
    package static func offers(in inbox: Inbox) -> (authors: [String], labels: [String]) {
        var (authors, labels): (Set<String>, Set<String>) = ([], [])
        for section in inbox.sections {
            for item in section.items {
                authors.insert(item.pull.authorLogin)
                for label in item.pull.labels { labels.insert(label.name) }
            }
        }
        return (authors.sorted(), labels.sorted())
    }
}
