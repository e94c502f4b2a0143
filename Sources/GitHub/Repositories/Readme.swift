package import ArticleText
package import Foundation

/// A README as GitHub rendered it, cleaned: nothing in it acts, and its pictures are named apart.
package struct Readme: Codable, Equatable, Hashable, Sendable {
    package typealias Part = MarkupPart
    package typealias Picture = MarkupPicture

    /// In their order.
    package let parts: [Part]
    /// It was longer than Roost keeps.
    package let isCut: Bool

    package init(parts: [Part], isCut: Bool = false) {
        self.parts = parts
        self.isCut = isCut
    }

    /// Never fails: of what cannot be read to its end the beginning stays, and `isCut` says so.
    ///
    /// - Parameters:
    ///   - html: as `GET /repos/OWNER/NAME/readme` answers it in the form `application/vnd.github.html`
    ///   - repository: links and pictures without a host of their own are meant within it
    ///   - branch: whose README it is; "HEAD" is GitHub's word for the standard one
    package static func cleaned(_ html: Data, repository: Repository, branch: String, host: GitHubHost)
        -> Readme
    {
        var sanitizer = HTMLSanitizer(ReadmeLinkResolver(repository: repository, branch: branch, host: host))
        sanitizer.read(html)
        let (parts, isCut) = sanitizer.finished()
        return Readme(parts: parts, isCut: isCut)
    }
}
