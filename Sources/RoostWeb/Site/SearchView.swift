import TextFormats

/// `/search`: the form and what it has found.
package struct SearchView: PageView {
    package static let scripts = ["search-page"]

    package let layout: LayoutView
    let query: SiteSearchQuery
    let allKinds: [SearchKind]
    /// Nil for all.
    let kind: String?
    let groups: [SearchGroup]
    /// Whether older texts can't be found yet.
    let isIndexing: Bool

    var text: String { query.text.trimmed }
    var title: String { query.isEmpty ? "Search" : "\(text) · Search" }
    var kinds: [Kind] {
        let all = Kind(
            kindName: "All", kindAddress: "/search?q=\(query.encoded)", isKindChosen: kind == nil)
        return [all]
            + allKinds.map {
                Kind(
                    kindName: $0.name, kindAddress: "/search?q=\(query.encoded)&kinds=\($0.id)",
                    isKindChosen: $0.id == kind)
            }
    }
    var sections: [SearchSectionView] {
        groups.map {
            SearchSectionView(group: $0, allAddress: query.isEmpty ? nil : $0.kind.allAddress?(query))
        }
    }
    var isNothingFound: Bool { groups.isEmpty && !query.isEmpty }

    struct Kind {
        let kindName, kindAddress: String
        let isKindChosen: Bool
    }
}

/// `/search/results`: the same as options of the dialog.
package struct SearchOptionsView {
    let query: SiteSearchQuery
    let groups: [SearchGroup]

    var sections: [SearchSectionView] { groups.map { SearchSectionView(group: $0, allAddress: nil) } }
    /// The forms of commands: an option must not contain one.
    var forms: [SearchRowView.Form] { sections.flatMap(\.rows).compactMap(\.form) }
    var count: Int { groups.reduce(0) { $0 + $1.results.count } }
    /// Read to users of screen readers.
    var summary: String {
        if query.isEmpty { return "" }
        return count == 0 ? "Nothing found." : "\(count) \(count == 1 ? "result" : "results")."
    }
    var pageAddress: String? { query.isEmpty ? nil : "/search?q=\(query.encoded)" }
}

/// The results of one kind, in the page and in the dialog.
struct SearchSectionView {
    let group: SearchGroup
    let allAddress: String?

    var sectionKind: String { group.kind.id }
    var sectionName: String { group.kind.name }
    var rows: [SearchRowView] {
        group.results.enumerated().map { index, result in
            SearchRowView(result: result, icon: group.kind.icon, formId: "\(group.kind.id)-\(index)")
        }
    }
}

package struct SearchRowView {
    let result: SearchResult
    let icon: String
    let formId: String

    var person: PersonView? { result.person }
    var link: String? { result.command?.field == nil ? result.address : nil }
    var form: Form? {
        result.command?.field.map {
            Form(row: self, formAddress: result.address, fieldName: $0.name, fieldValue: $0.value)
        }
    }
    var isElsewhere: Bool { !result.address.hasPrefix("/") }
    var detail: String? { result.detail.isEmpty ? nil : result.detail }
    var excerpt: SearchExcerpt? { result.excerpt.isEmpty ? nil : SearchExcerpt(result.excerpt) }

    /// A command that is posted.
    struct Form {
        let row: SearchRowView
        let formAddress, fieldName, fieldValue: String
    }
}

/// A result in the JSON API.
struct SearchItemJSON: Codable {
    let kind, title, address: String
    let detail: String?
    let excerpt: [SearchSnippet.Piece]?

    static func items(of group: SearchGroup) -> [SearchItemJSON] {
        group.results.map {
            SearchItemJSON(
                kind: group.kind.id, title: $0.title, address: $0.address,
                detail: $0.detail.isEmpty ? nil : $0.detail, excerpt: $0.excerpt.isEmpty ? nil : $0.excerpt)
        }
    }
}
