/// A repository as the user last saw it: what differs from it is a change.
struct AcknowledgedState: Codable, Equatable, Hashable, Sendable {
    package var fullName: String
    package var state: Bookmark.State
    /// Nil: not known when he looked; what is known first is no change.
    package var stars: Int?
    package var archived: Bool?
    package var isPrivate: Bool?

    package init(
        fullName: String, state: Bookmark.State, stars: Int? = nil, archived: Bool? = nil,
        isPrivate: Bool? = nil
    ) {
        self.fullName = fullName
        self.state = state
        self.stars = stars
        self.archived = archived
        self.isPrivate = isPrivate
    }

    /// As it is now.
    package init(fullName: String, state: Bookmark.State, item: RepositoryItem?) {
        self.init(
            fullName: fullName, state: state, stars: item?.detail?.stars, archived: item?.detail?.archived,
            isPrivate: item?.repository.isPrivate)
    }

    /// Takes over what was not known yet.
    mutating func fill(from item: RepositoryItem?) {
        stars = stars ?? item?.detail?.stars
        archived = archived ?? item?.detail?.archived
        isPrivate = isPrivate ?? item?.repository.isPrivate
    }

    /// What has happened since, the weightiest first.
    package func changes(to item: RepositoryItem?, fullName: String, state: Bookmark.State)
        -> [BookmarkChange]
    {
        var changes: [BookmarkChange] = []
        if state == .gone, self.state != .gone { changes.append(.gone) }
        if state == .present, self.state == .gone { changes.append(.back) }
        if isPrivate == false, item?.repository.isPrivate == true { changes.append(.madePrivate) }
        if let archived, let now = item?.detail?.archived, now != archived {
            changes.append(now ? .archived : .unarchived)
        }
        // Another case of letters is no other name.
        if self.fullName != fullName, RepositoryName(self.fullName) != RepositoryName(fullName) {
            changes.append(.renamed(from: self.fullName))
        }
        if let stars, let now = item?.detail?.stars, now != stars { changes.append(.stars(now - stars)) }
        return changes
    }
}
