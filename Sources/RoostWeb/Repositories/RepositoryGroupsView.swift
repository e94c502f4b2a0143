/// Rows of repositories in their groups, with the bar that jumps between them: of the explorer and of the bookmarks.
struct RepositoryGroupsView: Hashable, Sendable {
    /// A head with rows; the only group of a list that is not grouped has no head.
    struct Group: Hashable, Sendable {
        let id, title: String
        let count: Int
        let isCollapsed: Bool
        let rows: [RepositoryRow]

        /// - Parameters:
        ///   - count: of all that belong to it, whether they are here or come later
        ///   - rows: those that are here
        init(
            id: String, title: String, count: Int, isCollapsed: Bool = false, rows: [RepositoryRow]
        ) {
            self.id = id
            self.title = title
            self.count = count
            self.isCollapsed = isCollapsed
            self.rows = rows
        }
    }

    /// One of the bar's links.
    struct Entry: Hashable, Sendable {
        let id, title: String
        let count: Int
        let address: String?

        /// - Parameter address: where the group begins, if its rows are not on this page
        init(id: String, title: String, count: Int, address: String? = nil) {
            self.id = id
            self.title = title
            self.count = count
            self.address = address
        }
    }

    let groups: [GroupFields]
    let indexEntries: [EntryFields]

    /// - Parameter isGrouped: false shows neither heads nor the bar
    init(groups: [Group], index: [Entry], isGrouped: Bool) {
        self.groups = groups.map { GroupFields(group: $0, isHeaded: isGrouped) }
        indexEntries = isGrouped ? index.map { EntryFields(entry: $0) } : []
    }

    /// With a bar of the groups that are here.
    init(groups: [Group], isGrouped: Bool) {
        self.init(
            groups: groups, index: groups.map { Entry(id: $0.id, title: $0.title, count: $0.count) },
            isGrouped: isGrouped)
    }

    /// How many rows are here.
    var count: Int { groups.reduce(0) { $0 + $1.rows.count } }

    var hasIndex: Bool { indexEntries.count > 1 }

    /// The same text as the element's name and in addresses, whatever stands in the language's name.
    fileprivate static func anchor(_ id: String) -> String { "group-\(PathSegment(id))" }
}

struct GroupFields: Hashable {
    let group: RepositoryGroupsView.Group
    let isHeaded: Bool

    var groupId: String { group.id }
    var groupAnchor: String { RepositoryGroupsView.anchor(group.id) }
    var groupTitle: String { group.title }
    var groupTotal: String { NumberText.grouped(group.count) }
    var isOpen: Bool { !group.isCollapsed }
    var rows: [RepositoryRow] { group.rows }
}

struct EntryFields: Hashable {
    let entry: RepositoryGroupsView.Entry

    var entryAddress: String { entry.address ?? "#\(RepositoryGroupsView.anchor(entry.id))" }
    var entryCount: String { NumberText.grouped(entry.count) }
}
