import GitHub
import RoostWeb

/// `/bookmarks/OWNER/NAME/edit`: edits tags and note without scripts, or again after invalid input.
struct BookmarkEditView: PageView, Sendable {
    let layout: LayoutView
    let repository: RepositoryName
    let editor: BookmarkEditor
}

struct BookmarkEditor: Sendable {
    let editTags, editNote, editBack: String
    let tagsError, noteError: String?

    /// - Parameter bookmark: nil for the form that a script fills in
    init(_ bookmark: Bookmark? = nil, back: String, refused: FormState = .empty) {
        editTags = refused.typed["tags"] ?? bookmark.map { TypedTags.text($0.tags) } ?? ""
        editNote = refused.typed["note"] ?? bookmark?.note ?? ""
        editBack = back
        tagsError = refused.fieldErrors["tags"]
        noteError = refused.fieldErrors["note"]
    }
}
