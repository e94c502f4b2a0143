import Foundation
package import RoostServices

/// A bookmark in the JSON interface: with the detail as it is stored, so that it can be read without GitHub.
package struct BookmarkJSON: Encodable {
    private let bookmark: Bookmark

    package init(_ bookmark: Bookmark) {
        self.bookmark = bookmark
    }

    private enum CodingKeys: String, CodingKey {
        case fullName, state, tags, note, addedAt, checkedAt, changes, repository
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(bookmark.fullName, forKey: .fullName)
        try values.encode(bookmark.state, forKey: .state)
        try values.encode(bookmark.tags, forKey: .tags)
        try values.encode(bookmark.note, forKey: .note)
        try values.encode(bookmark.addedAt, forKey: .addedAt)
        try values.encodeIfPresent(bookmark.checkedAt, forKey: .checkedAt)
        try values.encode(bookmark.changes.map(BookmarkChangeText.words), forKey: .changes)
        try values.encodeIfPresent(bookmark.item.map(BookmarkedItemJSON.init), forKey: .repository)
    }
}

/// A repository with what is known of it, in the models' names.
private struct BookmarkedItemJSON: Encodable {
    let item: RepositoryItem

    private enum CodingKeys: String, CodingKey {
        case id, nodeId, name, fullName, owner, description, fork, htmlURL, detail, fetchedAt
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        let repository = item.repository
        try values.encode(repository.id, forKey: .id)
        try values.encode(repository.nodeId, forKey: .nodeId)
        try values.encode(repository.name, forKey: .name)
        try values.encode(repository.fullName, forKey: .fullName)
        try values.encode(repository.owner, forKey: .owner)
        try values.encodeIfPresent(repository.description, forKey: .description)
        try values.encode(repository.fork, forKey: .fork)
        try values.encode(repository.htmlURL, forKey: .htmlURL)
        try values.encodeIfPresent(item.detail, forKey: .detail)
        try values.encodeIfPresent(item.fetchedAt, forKey: .fetchedAt)
    }
}
