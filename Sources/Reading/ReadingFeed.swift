package import Foundation

/// A list that feed readers can follow at a secret address.
package struct ReadingFeed: Identifiable, Sendable, Equatable {
    package let id: Int64
    package let filter: ArticleFilter
    /// The secret in its address, `/reading/feeds/TOKEN.atom`.
    package let token: String
    package let createdAt: Date
}

package struct ReadingFeedDocument: Sendable, Equatable {
    package static let mediaType = "application/atom+xml; charset=utf-8"

    package let body: [UInt8]
    /// Changes only with the body.
    package let entityTag: String
    /// When the list last changed, in whole seconds.
    let lastModified: Date
}
