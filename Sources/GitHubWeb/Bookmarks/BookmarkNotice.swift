import GitHub
import HTTPServer
import RoostSupport
import RoostWeb
import TextFormats

/// Says what an action on bookmarks did, and offers to undo it.
enum BookmarkNotice: Equatable, Sendable {
    case added(BookmarkService.ChangeResult, String)
    case removed(BookmarkService.ChangeResult)
    case edited(BookmarkService.ChangeResult)
    case changed(BookmarkService.ChangeResult, BookmarkService.BulkAction)
    case seen(Int)
    case nothingChosen
    case undone(BookmarkService.ChangeResult)
    case starImportStarted

    func view(back: String) -> NoticeView {
        NoticeView(text: text, isProblem: self == .nothingChosen, undo: undo.map { Self.address($0, back) })
    }

    /// The address carries all parameters because a notice's form has no fields.
    static func address(_ undo: UndoID, _ back: String) -> String {
        "/bookmarks/undo?undo=\(undo)&back=\(PercentEncoding.encode(back))"
    }

    private var text: String {
        switch self {
        case .added(let done, let name):
            done.count > 0 ? "\(name) is bookmarked." : "\(name) is already bookmarked."
        case .removed(let done): Self.removed(done)
        case .edited(let done):
            done.count > 0 ? "Saved for \(Self.nameOrCount(done))." : "No changes to save."
        case .changed(let done, let bulk): Self.changed(done, bulk)
        case .seen(let count):
            count > 0
                ? "Marked as seen: \(Self.bookmarks(count))." : "No changes to mark as seen."
        case .nothingChosen: "Select bookmarks first."
        case .undone(let done):
            done.count > 0 ? "Undone for \(Self.nameOrCount(done))." : "Nothing to undo."
        case .starImportStarted: "Importing your stars in the background."
        }
    }

    var isAdded: Bool {
        if case .added = self { true } else { false }
    }

    var count: Int {
        switch self {
        case .added(let done, _), .removed(let done), .edited(let done), .changed(let done, _),
            .undone(let done):
            done.count
        case .seen(let count): count
        case .nothingChosen, .starImportStarted: 0
        }
    }

    private var undo: UndoID? {
        switch self {
        case .added(let done, _), .removed(let done), .edited(let done), .changed(let done, _),
            .undone(let done):
            done.undo
        case .seen, .nothingChosen, .starImportStarted: nil
        }
    }

    private static func removed(_ done: BookmarkService.ChangeResult) -> String {
        guard done.count > 0 else { return "Nothing was removed." }
        return "\(nameOrCount(done)) \(done.count == 1 ? "is" : "are") no longer bookmarked."
    }

    private static func changed(_ done: BookmarkService.ChangeResult, _ bulk: BookmarkService.BulkAction)
        -> String
    {
        switch bulk {
        case .addTag(let tag):
            done.count > 0 ? "Added “\(tag)” to \(nameOrCount(done))." : "All of them already have “\(tag)”."
        case .removeTag(let tag):
            done.count > 0 ? "Removed “\(tag)” from \(nameOrCount(done))." : "None of them has “\(tag)”."
        case .remove: removed(done)
        case .markSeen: BookmarkNotice.seen(done.count).text
        }
    }

    private static func nameOrCount(_ done: BookmarkService.ChangeResult) -> String {
        done.fullName ?? bookmarks(done.count)
    }

    private static func bookmarks(_ count: Int) -> String {
        count == 1 ? "1 bookmark" : "\(NumberText.grouped(count)) bookmarks"
    }
}
