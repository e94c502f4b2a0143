import Foundation

/// A bookmark as it lies on the disk.
struct BookmarkRecord: Equatable, Sendable {
    /// An item as JSON text, without the time: most changes never look into it.
    struct PackedItem: Equatable, Sendable {
        let json: String

        init(json: String) { self.json = json }

        init(_ item: RepositoryItem) throws {
            var item = item
            item.fetchedAt = nil
            json = String(decoding: try JSONEncoder().encode(item), as: UTF8.self)
        }

        /// Nil for what a later version has written.
        fileprivate var item: RepositoryItem? {
            let decoder = JSONDecoder()
            // What was judged when it came is not judged again by a clock that went back.
            decoder.userInfo[.now] = Date.distantFuture
            return try? decoder.decode(RepositoryItem.self, from: Data(json.utf8))
        }
    }

    /// Seconds until GitHub is asked again.
    static let dueAfter: TimeInterval = 86_400
    /// And after one that is gone, unless it was private: then the account may only be away.
    static let dueAfterGone: TimeInterval = 7 * 86_400

    /// 0 before it is inserted.
    var id: BookmarkID
    /// Nil until GitHub has confirmed the repository: an imported file may claim any number.
    var repositoryID: RepositoryID?
    var fullName: String
    var item: PackedItem?
    /// Of the item's detail.
    var fetchedAt: Date?
    var seen: BookmarkBaseline
    var state: Bookmark.State
    var isChanged = false
    var tags: [String] = []
    var note = ""
    var addedAt: Date
    var checkedAt: Date?
    var dueAt: Date

    /// By name alone; GitHub is to be asked.
    init(name: RepositoryName, addedAt: Date, now: Date) {
        id = 0
        fullName = name.description
        state = .unresolved
        seen = BookmarkBaseline(fullName: fullName, state: .unresolved)
        self.addedAt = addedAt
        dueAt = now
    }

    /// Of a repository that GitHub has told of.
    init(_ item: RepositoryItem, addedAt: Date, now: Date) throws {
        id = 0
        repositoryID = item.id
        fullName = item.fullName
        self.item = try PackedItem(item)
        fetchedAt = item.fetchedAt
        state = .present
        seen = BookmarkBaseline(fullName: fullName, state: .present, item: item)
        self.addedAt = addedAt
        checkedAt = item.detail == nil ? nil : item.fetchedAt
        dueAt = checkedAt.map { $0 + Self.dueAfter } ?? now
    }

    init(
        id: BookmarkID, repositoryID: RepositoryID?, fullName: String, item: PackedItem?,
        seen: BookmarkBaseline, state: Bookmark.State, addedAt: Date, dueAt: Date
    ) {
        (self.id, self.repositoryID, self.fullName, self.item) = (id, repositoryID, fullName, item)
        (self.seen, self.state, self.addedAt, self.dueAt) = (seen, state, addedAt, dueAt)
    }

    var name: RepositoryName? { RepositoryName(fullName) }

    /// What is known of the repository.
    var known: RepositoryItem? {
        var known = item?.item
        known?.fetchedAt = fetchedAt
        return known
    }

    /// The model; nil for a name that is none, which only another program can have written.
    var bookmark: Bookmark? {
        let item = known
        return name.map {
            Bookmark(
                id: id, name: $0, item: item, state: state, tags: tags, note: note, addedAt: addedAt,
                checkedAt: checkedAt, changes: seen.changes(to: item, fullName: fullName, state: state))
        }
    }
}

/// How a bookmark changes when GitHub tells of its repository.
extension BookmarkRecord {
    /// Takes over what was learned of its repository; `isAsked`: GitHub was asked for this very one.
    mutating func learn(_ news: RepositoryItem, isAsked: Bool, now: Date) throws {
        let known = repositoryID == news.id ? self.known : nil
        var merged = news
        // A row of a list has no detail, or the one that was known when the list came.
        if news.detail == nil || isNewer(known?.fetchedAt, than: news.fetchedAt), !isAsked {
            (merged.detail, merged.fetchedAt) = (known?.detail, known?.fetchedAt)
        }
        let isProof = isAsked || (news.detail != nil && isNewer(news.fetchedAt, than: checkedAt))
        repositoryID = news.id
        fullName = news.fullName
        if isAsked, news.detail != nil { merged.fetchedAt = now }
        if !isSame(merged, known) { item = try PackedItem(merged) }
        if isAsked || !isSame(merged, known) || isHourOlder(fetchedAt, than: merged.fetchedAt) {
            fetchedAt = merged.fetchedAt
        }
        let wasThere = state == .present
        if isProof || state == .unresolved { state = .present }
        seen.fill(from: merged)
        if isProof {
            let isWritten = isAsked || !wasThere || !isSame(merged, known)
            check(at: isAsked ? now : news.fetchedAt ?? now, always: isWritten)
        }
        isChanged = !seen.changes(to: merged, fullName: fullName, state: state).isEmpty
    }

    /// GitHub no longer has it, or its name is another repository's now.
    mutating func lose(now: Date) {
        state = .gone
        checkedAt = now
        dueAt = now + (known?.repository.isPrivate == true ? Self.dueAfter : Self.dueAfterGone)
        noteChanges()
    }

    /// The user has seen it as it is now.
    mutating func markSeen() {
        seen = BookmarkBaseline(fullName: fullName, state: state, item: known)
        isChanged = false
    }

    mutating func noteChanges() {
        isChanged = !seen.changes(to: known, fullName: fullName, state: state).isEmpty
    }

    /// Takes over what the user wrote beside another bookmark of the same repository.
    mutating func takeWords(of other: BookmarkRecord) {
        tags = Array(BookmarkWords.union(tags, other.tags).prefix(BookmarkWords.mostTags))
        // The longer one stays where both are too long together.
        note =
            BookmarkWords.joined(note, other.note)
            ?? (note.unicodeScalars.count >= other.note.unicodeScalars.count ? note : other.note)
        addedAt = min(addedAt, other.addedAt)
    }

    /// An hour's grain unless `always`: a repository that is looked at all day and stays as it is does not write
    /// all day.
    private mutating func check(at time: Date, always: Bool) {
        guard always || isHourOlder(checkedAt, than: time) else { return }
        checkedAt = time
        dueAt = time + Self.dueAfter
    }

    private func isSame(_ one: RepositoryItem, _ other: RepositoryItem?) -> Bool {
        one.repository == other?.repository && one.detail == other?.detail
    }

    private func isNewer(_ one: Date?, than other: Date?) -> Bool {
        (one ?? .distantPast) > (other ?? .distantPast)
    }

    private func isHourOlder(_ one: Date?, than other: Date?) -> Bool {
        (other ?? .distantPast).timeIntervalSince(one ?? .distantPast) >= 3_600
    }
}
