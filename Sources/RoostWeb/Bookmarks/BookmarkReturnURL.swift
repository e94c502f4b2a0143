import HTTPServer

/// Where a form comes from, and where its answer leads: a path of ours, or the bookmarks.
struct BookmarkReturnURL {
    /// Without what an earlier act had to tell there.
    let path: String
    /// Of that path.
    let query: String

    /// Its list is the bookmarks, whatever is looked at beside it.
    var isBookmarks: Bool {
        path == "/bookmarks" || path.hasPrefix("/bookmarks?")
            || (try? Query(parsing: query))?["in"] == "bookmarks"
    }

    init(_ text: String?) {
        let checked = LocalPath.checked(text)
        guard checked != "/" || text == "/" else {
            (path, query) = ("/bookmarks", "")
            return
        }
        let parts = checked.splitBytes(at: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let fields = parts.count > 1 ? parts[1].splitBytes(at: "&") : []
        let kept = fields.filter { !$0.hasPrefix("\(FlashStore.field)=") }
        query = kept.joined(separator: "&")
        path = String(parts[0]) + (query.isEmpty ? "" : "?\(query)")
    }
}
