import RoostWeb

/// Repository rows in groups, with a bar that jumps to each group. Used for lists and bookmarks.
struct RepositoryGroupsView: Hashable, Sendable {
    /// A heading with rows. An ungrouped list has a single group without a heading.
    struct Group: Hashable, Sendable {
        let id, title: String
        /// Includes rows that are not loaded yet.
        let count: Int
        var isCollapsed = false
        let rows: [RepositoryRow]
    }

    struct Entry: Hashable, Sendable {
        let id, title: String
        let count: Int
        /// The page with the group, if its rows are not on this one.
        var address: String?
    }

    let groups: [GroupFields]
    let indexEntries: [EntryFields]

    init(groups: [Group], index: [Entry], isGrouped: Bool) {
        self.groups = groups.map { GroupFields(group: $0, hasHeading: isGrouped) }
        indexEntries = isGrouped ? index.map { EntryFields(entry: $0) } : []
    }

    /// Builds the bar from the loaded groups.
    init(groups: [Group], isGrouped: Bool) {
        self.init(
            groups: groups, index: groups.map { Entry(id: $0.id, title: $0.title, count: $0.count) },
            isGrouped: isGrouped)
    }

    var count: Int { groups.reduce(0) { $0 + $1.group.rows.count } }

    var hasIndex: Bool { indexEntries.count > 1 }

    /// Encodes the id, so that element ids and links match for any language name.
    fileprivate static func anchor(_ id: String) -> String { "group-\(PathSegment(id))" }
}

struct GroupFields: Hashable {
    let group: RepositoryGroupsView.Group
    let hasHeading: Bool

    var groupAnchor: String { RepositoryGroupsView.anchor(group.id) }
    var groupTotal: String { NumberText.grouped(group.count) }
    var isOpen: Bool { !group.isCollapsed }
}

struct EntryFields: Hashable {
    let entry: RepositoryGroupsView.Entry

    var entryAddress: String { entry.address ?? "#\(RepositoryGroupsView.anchor(entry.id))" }
    var entryCount: String { NumberText.grouped(entry.count) }
}
