package import Foundation

/// A list that feed readers follow at a secret address.
package struct ReadingFeed: Identifiable, Sendable, Equatable {
    package let id: Int64
    package let filter: ArticleFilter
    /// The secret of its address, `/reading/feeds/TOKEN.atom`.
    package let token: String
    package let createdAt: Date

    package init(id: Int64, filter: ArticleFilter, token: String, createdAt: Date) {
        self.id = id
        self.filter = filter
        self.token = token
        self.createdAt = createdAt
    }
}

/// A feed as it is served.
package struct ReadingFeedDocument: Sendable, Equatable {
    package static let mediaType = "application/atom+xml; charset=utf-8"

    package let body: [UInt8]
    /// Changes with the body and with nothing else.
    package let entityTag: String
    /// When the list last changed, to the second.
    let lastModified: Date
}
