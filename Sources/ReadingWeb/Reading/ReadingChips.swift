import Reading
import RoostWeb

struct ReadingChips: Sendable {
    /// Per kind; the search finds the rest.
    private static let limit = 40

    let lists: [Chip]
    let groups: [Group]
    /// The active filters, each as a link that removes it.
    let chosen: [Chip]
    let tagNames: [String]
    let categoryNames: [String]

    init(
        counts: ReadingCounts, categories: [ReadingGroup], tags: [ReadingGroup], sites: [ReadingGroup],
        query: ReadingQuery
    ) {
        let listCounts: [(ArticleFilter.List, Int?)] = [
            (.unread, counts.unread), (.suggested, nil), (.favorites, counts.favorites),
            (.archived, counts.archived), (.all, counts.all), (.failed, counts.failed),
        ]
        lists = listCounts.filter { $0.0 != .failed || counts.failed > 0 || query.list == .failed }.map {
            list, count in
            Chip(
                text: list.title, count: count, isCurrent: query.list == list,
                address: query.changed { $0.list = list }.path)
        }
        let kinds: [(String, [ReadingGroup], WritableKeyPath<ReadingQuery, String>)] = [
            ("Categories", categories, \.category), ("Tags", tags, \.tag), ("Sites", sites, \.site),
        ]
        groups = kinds.compactMap { title, values, field in
            guard values.count > (title == "Tags" ? 0 : 1) else { return nil }
            let chips = values.prefix(Self.limit).map { value in
                let isCurrent = value.name.lowercased() == query[keyPath: field].lowercased()
                return Chip(
                    text: value.name.sanitized, count: value.count, isCurrent: isCurrent,
                    address: query.changed { $0[keyPath: field] = isCurrent ? "" : value.name }.path)
            }
            return Group(groupTitle: title, groupId: "narrow-\(title.lowercased())", chips: chips)
        }
        chosen = [("Category", \ReadingQuery.category), ("Tag", \.tag), ("Site", \.site)].compactMap {
            word, field in
            let value = query[keyPath: field]
            guard !value.isBlank else { return nil }
            return Chip(
                text: "\(word): \(value.sanitized)", count: nil, isCurrent: true,
                address: query.changed { $0[keyPath: field] = "" }.path)
        }
        tagNames = tags.prefix(200).map(\.name)
        categoryNames = categories.prefix(200).map(\.name)
    }

    var hasGroups: Bool { !groups.isEmpty }
    var hasChosen: Bool { !chosen.isEmpty }

    struct Chip: Sendable {
        let text: String
        let count: Int?
        let isCurrent: Bool
        let address: String

        var chipCount: String? { count.map(NumberText.grouped) }
    }

    struct Group: Sendable {
        let groupTitle: String
        let groupId: String
        let chips: [Chip]
    }
}
