import ArticleText
import Foundation
import Reading
import RoostWeb
import TextFormats

struct GistView: PageView, Sendable {
    static let scripts = ["reading-gist"]

    let layout: LayoutView
    let offlineOwner: String
    let item: GistItem
    let shareAddress: String
    private let length: GistLength
    let gistText: GistTextView
    let colleagues: ColleagueChoices
    let link: SharedLink?
    let linkCode: QRCode?
    let isOwn: Bool
    let asksToReplace: Bool

    /// - Parameter asksToReplace: whether to confirm that regenerating replaces the user's edits
    init(
        layout: LayoutView, offlineOwner: String, item: GistItem, isOwn: Bool,
        link: SharedLink?,
        colleagues: ColleagueChoices, length: GistLength, asksToReplace: Bool = false, now: Date
    ) {
        self.layout = layout
        self.offlineOwner = offlineOwner
        self.item = item
        self.isOwn = isOwn
        self.colleagues = colleagues
        self.length = length
        self.link = link
        self.asksToReplace = asksToReplace
        gistText = GistTextView(item, isOwn: isOwn, now: now)
        shareAddress = ShareAddress.of(GistText.shared(item.gist))
        linkCode = link.flatMap { try? QRCode($0.address) }
    }

    var gistPath: String { "/gists/\(item.id)" }
    var title: String { item.title.sanitized }
    var updated: String { ISO8601.milliseconds(item.updatedAt) }
    var articlePath: String? { isOwn ? item.articleId.map { "/reading/\($0)" } : nil }
    var markdown: String { GistService.markdown(of: item.gist) }
    var lengths: [SelectOption] { GistLengthChoice.options(chosen: length) }
    var requestedLength: String { GistLengthChoice.text(length) }
    var isShared: Bool { item.shareToken != nil }
    var waitsForModel: Bool { item.waitsForModel }
}

/// `/gists/ID/text`: the live part of the page; a model may still be writing a new version.
struct GistTextView: Sendable {
    let item: GistItem
    private let isOwn: Bool
    private let now: Date

    init(_ item: GistItem, isOwn: Bool, now: Date) {
        self.item = item
        self.isOwn = isOwn
        self.now = now
    }

    var title: String { item.title.sanitized }
    var updatedTime: String { ISO8601.seconds(item.updatedAt) }
    var updatedAgo: String { RelativeTime.ago(item.updatedAt, now: now) }
    var category: String { (item.category ?? Article.standardCategory).sanitized }
    var sourceAddress: String? { item.sourceUrl.flatMap(OriginalAddress.of) }
    var sourceName: String { item.sourceUrl.map { OriginalAddress.name(of: $0).sanitized } ?? "" }
    var articlePath: String? { isOwn ? item.articleId.map { "/reading/\($0)" } : nil }
    var paragraphs: [String] { GistText.paragraphs(of: item) }
    var isBeingWritten: Bool { item.isBeingWritten }
    var gistNote: TimedText? { item.note.map(TimedText.init) }
    /// Announced to screen readers when it changes.
    var methodText: String {
        if let state = GistText.modelState(of: item) { return state }
        let method =
            switch item.method {
            case .extractive: "Extracted from the article"
            case .model: "Written by a model"
            case .own: "Written by you"
            }
        return item.isEdited && item.method != .own ? "\(method), edited" : method
    }

    var fingerprint: Int {
        var hasher = Hasher()
        hasher.combine(item.gist)
        hasher.combine(item.method)
        hasher.combine(item.note)
        hasher.combine(item.isEdited)
        hasher.combine(item.articleId)
        hasher.combine(methodText)
        hasher.combine(item.draft)
        return hasher.finalize()
    }
}

/// `/shared-gists/TOKEN`: a gist, for everyone with the secret link.
struct SharedGistView: GuestPageView, Sendable {
    static let scripts: [String] = []

    let layout: GuestLayoutView
    private let gist: Gist

    init(layout: GuestLayoutView, gist: Gist) {
        self.layout = layout
        self.gist = gist
    }

    var title: String { gist.title.sanitized }
    var sourceAddress: String? { gist.sourceUrl.flatMap(OriginalAddress.of) }
    var sourceName: String { gist.sourceUrl.map { OriginalAddress.name(of: $0).sanitized } ?? "" }
    var paragraphs: [String] { GistText.paragraphs(of: gist.content) }
}
