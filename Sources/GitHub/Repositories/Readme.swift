package import ArticleText
package import Foundation
import RoostSupport

/// A README as rendered by GitHub and sanitized by Roost, with its pictures as separate parts.
package struct Readme: JSONColumnValue, Equatable, Hashable, Sendable {
    package typealias Part = MarkupPart
    package typealias Picture = MarkupPicture

    package let parts: [Part]
    /// True if the end is missing.
    package var isCut = false

    /// Never fails. If the HTML is too long or cannot be read to its end, keeps the beginning and sets `isCut`.
    ///
    /// - Parameters:
    ///   - html: the response of `GET /repos/OWNER/NAME/readme` as `application/vnd.github.html`
    ///   - repository: the base of relative links and pictures
    ///   - branch: the README's branch, or "HEAD" for the default branch
    package static func cleaned(_ html: Data, repository: Repository, branch: String, host: GitHubHost)
        -> Readme
    {
        var sanitizer = HTMLSanitizer(ReadmeLinkResolver(repository: repository, branch: branch, host: host))
        sanitizer.read(html)
        let (parts, isCut) = sanitizer.finished()
        return Readme(parts: parts, isCut: isCut)
    }
}

/// A row of `repository_readmes`.
struct StoredReadme: ColumnRecord, Sendable {
    /// Nil if the repository has no README.
    var readme: Readme?
    var etag: String?
    var fetchedAt = Date(timeIntervalSince1970: 0)

    mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("readme", &readme)
        try columns.column("etag", &etag)
        try columns.column("fetched_at", &fetchedAt)
    }
}
