import GitHub
import HTTPServer
import TextFormats

/// What an action on bookmarks did, in a sentence, with its undo.
enum BookmarkNotice: Equatable, Sendable {
    case added(BookmarkService.ChangeResult, String)
    case removed(BookmarkService.ChangeResult)
    case edited(BookmarkService.ChangeResult)
    case changed(BookmarkService.ChangeResult, BookmarkService.BulkAction)
    case seen(Int)
    case nothingChosen
    case undone(BookmarkService.ChangeResult)
    case starsAsked

    /// - Parameter back: the page to return to after the undo
    func view(back: String) -> NoticeView {
        NoticeView(text: text, isTrouble: self == .nothingChosen, undo: undo.map { Self.address($0, back) })
    }

    /// Where the undo form posts to. All it needs is in the address, since a notice's form has no fields.
    static func address(_ undo: BookmarkService.UndoID, _ back: String) -> String {
        "/bookmarks/undo?undo=\(PercentEncoding.encode(undo))&back=\(PercentEncoding.encode(back))"
    }

    private var text: String {
        switch self {
        case .added(let done, let name):
            done.count > 0 ? "\(name) is bookmarked." : "\(name) was bookmarked already."
        case .removed(let done): Self.removed(done)
        case .edited(let done):
            done.count > 0 ? "Saved for \(Self.who(done))." : "Nothing to save: all is as it was."
        case .changed(let done, let bulk): Self.changed(done, bulk)
        case .seen(let count):
            count > 0
                ? "What changed is marked as seen: \(Self.bookmarks(count))." : "Nothing new to mark as seen."
        case .nothingChosen: "Choose some bookmarks first: tick the boxes beside them."
        case .undone(let done):
            done.count > 0 ? "\(Self.who(done)): as before." : "Nothing was left to take back."
        case .starsAsked: "Your stars are on their way here, in the background."
        }
    }

    var isAdded: Bool {
        if case .added = self { true } else { false }
    }

    /// How many bookmarks the action changed.
    var count: Int {
        switch self {
        case .added(let done, _), .removed(let done), .edited(let done), .changed(let done, _),
            .undone(let done):
            done.count
        case .seen(let count): count
        case .nothingChosen, .starsAsked: 0
        }
    }

    private var undo: BookmarkService.UndoID? {
        switch self {
        case .added(let done, _), .removed(let done), .edited(let done), .changed(let done, _),
            .undone(let done):
            done.undo
        case .seen, .nothingChosen, .starsAsked: nil
        }
    }

    private static func removed(_ done: BookmarkService.ChangeResult) -> String {
        guard done.count > 0 else { return "Nothing was removed." }
        return "\(who(done)) \(done.count == 1 ? "is" : "are") no longer bookmarked."
    }

    private static func changed(_ done: BookmarkService.ChangeResult, _ bulk: BookmarkService.BulkAction)
        -> String
    {
        switch bulk {
        case .addTag(let tag):
            done.count > 0 ? "“\(tag)” is now on \(who(done))." : "“\(tag)” was on all of them already."
        case .removeTag(let tag):
            done.count > 0 ? "“\(tag)” is taken off \(who(done))." : "“\(tag)” was on none of them."
        case .remove: removed(done)
        case .markSeen: BookmarkNotice.seen(done.count).text
        }
    }

    private static func who(_ done: BookmarkService.ChangeResult) -> String {
        done.fullName ?? bookmarks(done.count)
    }

    private static func bookmarks(_ count: Int) -> String {
        count == 1 ? "1 bookmark" : "\(NumberText.grouped(count)) bookmarks"
    }
}
