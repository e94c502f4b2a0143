import ArticleText
import Foundation
import Reading
import TextFormats

/// `/gists/ID`: a gist, and what can be done with it.
struct GistView: PageView, Sendable {
    let layout: LayoutView
    let offlineOwner: String
    private let item: GistItem
    private let shareTo: String
    private let length: GistLength
    let gistText: GistTextView
    let colleagues: ColleagueChoices
    let link: SharedLink?
    let linkCode: QRCode?
    let isOwn: Bool
    let asksToReplace: Bool

    /// - Parameters:
    ///   - isOwn: nil shows what is the owner's to do; another's gist is only read
    ///   - link: the secret link, where there is one
    ///   - asksToReplace: it is to be made again, though its user has edited it
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
        shareTo = ShareAddress.of(GistText.shared(item.gist))
        linkCode = link.flatMap { try? QRCode($0.address) }
    }

    var gistId: Int64 { item.id }
    var gistPath: String { "/gists/\(item.id)" }
    var title: String { item.gist.title.sanitized }
    var updated: String { ISO8601.milliseconds(item.updatedAt) }
    var articlePath: String? { isOwn ? item.articleId.map { "/reading/\($0)" } : nil }
    var shareAddress: String { shareTo }
    var markdown: String { GistService.markdown(of: item.gist) }
    var lengths: [SelectOption] { GistLengthChoice.options(chosen: length) }
    var wantedLength: String { GistLengthChoice.text(length) }
    var isShared: Bool { item.shareToken != nil }
}

/// `/gists/ID/text`: a gist as it is read; a model may still be writing another.
struct GistTextView: Sendable {
    private let item: GistItem
    private let isOwn: Bool
    private let now: Date

    init(_ item: GistItem, isOwn: Bool, now: Date) {
        self.item = item
        self.isOwn = isOwn
        self.now = now
    }

    var title: String { item.gist.title.sanitized }
    var updatedTime: String { ISO8601.seconds(item.updatedAt) }
    var updatedAgo: String { RelativeTime.ago(item.updatedAt, now: now) }
    var category: String { (item.gist.category ?? Article.standardCategory).sanitized }
    var sourceAddress: String? { item.gist.sourceUrl.flatMap(OriginalAddress.of) }
    var sourceName: String { item.gist.sourceUrl.map { OriginalAddress.name(of: $0).sanitized } ?? "" }
    var articlePath: String? { isOwn ? item.articleId.map { "/reading/\($0)" } : nil }
    var paragraphs: [String] { GistText.paragraphs(of: item.gist.content) }
    var gistNote: TimedText? { item.note.map(TimedText.init) }
    var methodWords: String {
        let maker =
            switch item.method {
            case .extractive: "Sentences of the text"
            case .model: "Written by a model"
            case .own: "Written by you"
            }
        return item.isEdited && item.method != .own ? "\(maker), edited" : maker
    }

    /// Distinguishes what looks different.
    var fingerprint: Int {
        var hasher = Hasher()
        hasher.combine(item.gist)
        hasher.combine(item.method)
        hasher.combine(item.note)
        hasher.combine(item.isEdited)
        hasher.combine(item.articleId)
        return hasher.finalize()
    }
}

/// `/shared-gists/TOKEN`: a gist for everyone who has its secret link.
struct SharedGistView: GuestPageView, Sendable {
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
