import Foundation
import RoostSupport
import TextFormats

/// Filters and sorts an inbox, for both pages and the JSON API. Has no side effects.
package struct InboxFilter: Equatable, Sendable {
    /// Words that must all occur in the title, the repository, the author, "#number" or a label.
    package var text = ""
    package var author = ""
    package var label = ""
    package var drafts = PullPreferences.Drafts.shown
    package var hidesBots = false

    package init() {}

    package init(_ choices: PullPreferences) {
        drafts = choices.drafts
        hidesBots = choices.hidesBots
    }

    package var isEmpty: Bool {
        text.isBlank && author.isBlank && label.isBlank && drafts == .shown && !hidesBots
    }

    package func matches(_ item: InboxItem) -> Bool { Prepared(self).matches(item) }

    package struct Prepared: Sendable {
        private let filter: InboxFilter
        private let text: TextFilter
        private let author, label: FoldedText

        package init(_ filter: InboxFilter) {
            self.filter = filter
            text = TextFilter(filter.text, ignoresAccents: true)
            author = Self.folded(String(filter.author.trimmed.drop { $0 == "@" }))
            label = Self.folded(filter.label)
        }

        package func matches(_ item: InboxItem) -> Bool {
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
            guard !text.isEmpty else { return true }
            let texts = [pull.title, pull.repositoryFullName, pull.authorLogin, "#\(pull.number)"]
            return text.matches([FoldedText(lines: texts + pull.labels.map(\.name), ignoresAccents: true)])
        }

        private static func folded(_ text: String) -> FoldedText {
            FoldedText(lines: [text.trimmed], ignoresAccents: true)
        }
    }

    /// `waiting` and hidden items don't change.
    func applied(to inbox: Inbox, sort: PullPreferences.Sort? = nil) -> Inbox {
        var inbox = inbox
        let prepared = Prepared(self)
        for index in inbox.sections.indices {
            if !isEmpty { inbox.sections[index].items.removeAll { !prepared.matches($0) } }
            if let sort { inbox.sections[index].items = Self.sorted(inbox.sections[index].items, by: sort) }
        }
        return inbox
    }

    /// Breaks ties by key, so that the order is stable.
    package static func sorted(_ items: [InboxItem], by sort: PullPreferences.Sort) -> [InboxItem] {
        order(of: items, by: sort).map { items[$0] }
    }

    package static func order(of items: [InboxItem], by sort: PullPreferences.Sort) -> [Int] {
        let sortKeys = items.map { sortKey($0, sort) }
        return items.indices.sorted { left, right in
            sortKeys[left] == sortKeys[right]
                ? items[left].key.description < items[right].key.description
                : sortKeys[left] < sortKeys[right]
        }
    }

    private static func sortKey(_ item: InboxItem, _ sort: PullPreferences.Sort) -> Double {
        switch sort {
        case .age: item.waitingSince.timeIntervalSince1970
        case .update: -item.pull.updatedAt.timeIntervalSince1970
        case .size: item.pull.size.map(Double.init) ?? .infinity
        }
    }

    package struct Group: Equatable, Sendable, Identifiable {
        /// "host/owner/name", because two hosts may have the same repository name.
        package let id: String
        package let name: String
        package let host: String
        package let items: [InboxItem]
    }

    /// Groups items by repository, in the order of each group's first item.
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

    /// Without duplicates, in alphabetical order.
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
