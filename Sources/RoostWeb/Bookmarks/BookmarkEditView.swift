package import GitHub

/// `/bookmarks/OWNER/NAME/edit`: tags and note, for browsers without scripts and for what was refused.
package struct BookmarkEditView: PageView, Sendable {
    package static let sample = BookmarkEditView(
        layout: .sample, repository: Bookmark.samples[1].shownName,
        editor: BookmarkEditor(
            Bookmark.samples[1], back: "/bookmarks?tag=x",
            refused: FormState(fieldErrors: ["tags": "A tag has 40 letters at most."])))

    package let layout: LayoutView
    private let repository: RepositoryName
    let editor: BookmarkEditor

    package init(layout: LayoutView, repository: RepositoryName, editor: BookmarkEditor) {
        self.layout = layout
        self.repository = repository
        self.editor = editor
    }

    var repositoryName: String { repository.description }
    var repositoryPath: String { repository.path }
}

/// The fields for a bookmark's tags and note.
package struct BookmarkEditor: Sendable {
    let editTags, editNote, editBack: String
    let tagsError, noteError: String?

    /// - Parameters:
    ///   - bookmark: nil for the form that a script fills in
    ///   - back: path and query of the page to return to
    ///   - refused: what was typed instead, and what is wrong with it
    package init(_ bookmark: Bookmark? = nil, back: String, refused: FormState = .empty) {
        editTags = refused.typed["tags"] ?? bookmark.map { TypedTags.text($0.tags) } ?? ""
        editNote = refused.typed["note"] ?? bookmark?.note ?? ""
        editBack = back
        tagsError = refused.fieldErrors["tags"]
        noteError = refused.fieldErrors["note"]
    }
}
