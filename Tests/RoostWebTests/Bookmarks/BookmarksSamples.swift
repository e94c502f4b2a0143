import Foundation

@testable import GitHub
@testable import GitHubWeb
@testable import RoostWeb
@testable import TextFormats

extension BookmarkEditView {
    static let sample = BookmarkEditView(
        layout: .sample, repository: Bookmark.samples[1].shownName,
        editor: BookmarkEditor(
            Bookmark.samples[1], back: "/bookmarks?tag=x",
            refused: FormState(fieldErrors: ["tags": "A tag has 40 letters at most."])))
}

extension BookmarkImportView {
    static let sample = BookmarkImportView(
        layout: .sample, count: 231,
        report: .init(
            added: 1_204, updated: 3, unchanged: 24,
            failures: [
                .init(row: 17, why: "“a//b” is no repository’s name."),
                .init(row: 40, why: "A tag is too long."),
            ],
            undo: 7),
        stars: .sample)
}

extension BookmarkStarsView {
    static let sample = BookmarkStarsView(.running(230), isConnected: true, now: .sample)

    static let refusedSample: BookmarkStarsView = {
        var refused = RefusedRepositories()
        refused.add(.init(name: "ada//engine", why: "Its name is missing or invalid."))
        refused.add(.init(name: nil, why: "This is not a repository."))
        return BookmarkStarsView(
            .done(added: 1_204, existing: 24, at: .sample - 60), refused: refused, isConnected: true,
            now: .sample)
    }()
}

extension BookmarksTileView {
    static var sample: BookmarksTileView {
        BookmarksTileView(
            rows: Bookmark.samples.map { (bookmark: $0, avatar: nil) }, total: 231,
            changed: Bookmark.samples.count)
    }
}
