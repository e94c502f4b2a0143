/// Rows of repositories in their groups, with the bar that jumps between them: of the explorer and of the bookmarks.
package struct RepositoryGroupsView: TemplateView {
    package static let template = "repositories/groups"

    /// A head with rows; the only group of a list that is not grouped has no head.
    package struct Group: Sendable {
        let id, title, rendered: String
        let count: Int
        let isCollapsed: Bool
        let rows: [RepositoryRow]

        /// - Parameters:
        ///   - count: of all that belong to it, whether they are here or come later
        ///   - rendered: its rows as text
        ///   - rows: its rows, where they were not rendered before
        package init(
            id: String, title: String, count: Int, isCollapsed: Bool = false, rendered: String = "",
            rows: [RepositoryRow] = []
        ) {
            self.id = id
            self.title = title
            self.count = count
            self.isCollapsed = isCollapsed
            self.rendered = rendered
            self.rows = rows
        }
    }

    /// One of the bar's links.
    package struct Entry: Sendable {
        let id, title: String
        let count: Int
        let address: String?

        /// - Parameter address: where the group begins, if its rows are not on this page
        package init(id: String, title: String, count: Int, address: String? = nil) {
            self.id = id
            self.title = title
            self.count = count
            self.address = address
        }
    }

    private let groups, index: [Part]

    /// - Parameter isGrouped: false shows neither heads nor the bar
    package init(groups: [Group], index: [Entry], isGrouped: Bool) {
        self.groups = groups.map { Part(GroupFields(group: $0, isHeaded: isGrouped)) }
        self.index = isGrouped ? index.map { Part(EntryFields(entry: $0)) } : []
    }

    /// With a bar of the groups that are here.
    package init(groups: [Group], isGrouped: Bool) {
        self.init(
            groups: groups, index: groups.map { Entry(id: $0.id, title: $0.title, count: $0.count) },
            isGrouped: isGrouped)
    }

    package func field(_ name: String) -> Any? {
        switch name {
        case "hasIndex": index.count > 1
        case "indexEntries": index
        case "groups": groups
        default: nil
        }
    }

    /// The same text as the element's name and in addresses, whatever stands in the language's name.
    fileprivate static func anchor(_ id: String) -> String { "group-\(PathSegment(id))" }
}

private struct GroupFields: ViewFields {
    let group: RepositoryGroupsView.Group
    let isHeaded: Bool

    func field(_ name: String) -> Any? {
        switch name {
        case "isHeaded": isHeaded
        case "groupId": group.id
        case "groupAnchor": RepositoryGroupsView.anchor(group.id)
        case "groupTitle": group.title
        case "groupTotal": Figure.grouped(group.count)
        case "isOpen": !group.isCollapsed
        case "rendered": group.rendered
        case "rows": group.rows.map(Part.init)
        default: nil
        }
    }
}

private struct EntryFields: ViewFields {
    let entry: RepositoryGroupsView.Entry

    func field(_ name: String) -> Any? {
        switch name {
        case "entryAddress": entry.address ?? "#\(RepositoryGroupsView.anchor(entry.id))"
        case "entryTitle": entry.title
        case "entryCount": Figure.grouped(entry.count)
        default: nil
        }
    }
}
