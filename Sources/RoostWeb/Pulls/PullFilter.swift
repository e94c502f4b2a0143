package import RoostServices

/// Which pull requests of a list are shown, and in which order: a pure function of the wishes.
package struct PullFilter: Sendable {
    private let words: [String]
    private let author: String
    private let label: String
    private let choices: PullChoices

    package init(_ query: InboxQuery, _ choices: PullChoices) {
        words = query.text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
        author = query.author.lowercased().filter { !$0.isWhitespace }
        label = query.label.lowercased()
        self.choices = choices
    }

    package func items(of items: [InboxItem]) -> [InboxItem] {
        let sorted = items.filter(fits).sorted(by: isBefore)
        guard choices.grouping == .repository else { return sorted }
        var places: [String: Int] = [:]
        var groups: [[InboxItem]] = []
        for item in sorted {
            let name = item.pull.repositoryFullName
            if let place = places[name] {
                groups[place].append(item)
            } else {
                places[name] = groups.count
                groups.append([item])
            }
        }
        return groups.flatMap(\.self)
    }

    private func fits(_ item: InboxItem) -> Bool {
        let pull = item.pull
        if choices.hidesBots && pull.isFromBot { return false }
        switch choices.drafts {
        case .shown: break
        case .hidden where pull.isDraft == true, .only where pull.isDraft != true: return false
        case .hidden, .only: break
        }
        if !author.isEmpty && !pull.authorLogin.lowercased().contains(author) { return false }
        if !label.isEmpty && !pull.labels.contains(where: { $0.name.lowercased().contains(label) }) {
            return false
        }
        guard !words.isEmpty else { return true }
        let labels = pull.labels.map(\.name).joined(separator: "\n")
        let text = "\(pull.title)\n\(pull.id)\n\(pull.authorLogin)\n\(labels)".lowercased()
        return words.allSatisfy(text.contains)
    }

    private func isBefore(_ left: InboxItem, _ right: InboxItem) -> Bool {
        switch choices.sort {
        case .age where left.waitingSince != right.waitingSince: left.waitingSince < right.waitingSince
        case .size where left.pull.size != right.pull.size:
            (left.pull.size ?? .max) < (right.pull.size ?? .max)
        case .age, .update, .size:
            (right.pull.updatedAt, left.pull.id) < (left.pull.updatedAt, right.pull.id)
        }
    }
}
