import GitHub

/// `/bookmarks/OWNER/NAME/edit`: tags and note, for browsers without scripts and for what was refused.
struct BookmarkEditView: PageView, Sendable {
    let layout: LayoutView
    let repository: RepositoryName
    let editor: BookmarkEditor

    init(layout: LayoutView, repository: RepositoryName, editor: BookmarkEditor) {
        self.layout = layout
        self.repository = repository
        self.editor = editor
    }

    var repositoryName: String { repository.description }
}

/// The fields for a bookmark's tags and note.
struct BookmarkEditor: Sendable {
    let editTags, editNote, editBack: String
    let tagsError, noteError: String?

    /// - Parameters:
    ///   - bookmark: nil for the form that a script fills in
    ///   - back: path and query of the page to return to
    ///   - refused: what was typed instead, and what is wrong with it
    init(_ bookmark: Bookmark? = nil, back: String, refused: FormState = .empty) {
        editTags = refused.typed["tags"] ?? bookmark.map { TypedTags.text($0.tags) } ?? ""
        editNote = refused.typed["note"] ?? bookmark?.note ?? ""
        editBack = back
        tagsError = refused.fieldErrors["tags"]
        noteError = refused.fieldErrors["note"]
    }
}
