import Foundation
import Reading
import RoostSupport
import RoostWeb
import TextFormats

struct ReadingSharedView: PageView, Sendable {
    static let scripts = ["reading"]

    let layout: LayoutView
    let offlineOwner: String
    let list: SharedListView
    let readingTabs: ReadingTabs
    let shareForm: FormView
    let colleagues: ColleagueChoices

    init(
        layout: LayoutView, offlineOwner: String, list: SharedListView, shared: Int,
        colleagues: ColleagueChoices,
        form: FormState = .empty
    ) {
        self.layout = layout
        self.offlineOwner = offlineOwner
        self.list = list
        self.colleagues = colleagues
        readingTabs = ReadingTabs(.shared, shared: shared)
        var address = FieldView("url", "Address", in: form, form: "share")
        address.placeholder = "https://"
        address.limit = 8_192
        var title = FieldView("title", "Title", in: form, form: "share")
        title.isRequired = false
        title.limit = 2_000
        shareForm = FormView([address, title], form)
    }
}

/// `/reading/shared/list`: the live part of the page.
struct SharedListView: Sendable {
    struct Part: Sendable {
        let rows: [SharedRow]
        let next: String?

        init(_ rows: [SharedRow], next: String? = nil) {
            self.rows = rows
            self.next = next
        }
    }

    private let parts: [SharedItemService.Direction: Part]

    init(_ parts: [SharedItemService.Direction: Part]) { self.parts = parts }

    var withMe: [SharedRow] { parts[.withMe]?.rows ?? [] }
    var byMe: [SharedRow] { parts[.byMe]?.rows ?? [] }
    var queue: [SharedRow] { parts[.own]?.rows ?? [] }
    var hasWithMe: Bool { !withMe.isEmpty }
    var hasByMe: Bool { !byMe.isEmpty }
    var hasQueue: Bool { !queue.isEmpty }
    var withMeMore: String? { more(.withMe) }
    var byMeMore: String? { more(.byMe) }

    private func more(_ direction: SharedItemService.Direction) -> String? {
        parts[direction]?.next.map {
            "/reading/shared?list=\(direction.rawValue)&cursor=\(PercentEncoding.encode($0))"
        }
    }
}

struct SharedRow: Sendable {
    let entry: SharedItemEntry
    private let direction: SharedItemService.Direction
    private let now: Date

    init(_ entry: SharedItemEntry, _ direction: SharedItemService.Direction, now: Date) {
        self.entry = entry
        self.direction = direction
        self.now = now
    }

    private var path: String { "/reading/shared/\(entry.id)" }
    var title: String { (entry.title ?? entry.url).sanitized }
    var article: String? { entry.articleId.map { "/reading/\($0)" } }
    var gist: String? { entry.withdrawnAt == nil ? entry.gistId.map { "/gists/\($0)" } : nil }
    /// The original page; nil if there is an article or a gist to link to.
    var original: String? { article == nil && gist == nil ? OriginalAddress.of(entry.url) : nil }
    var isPlain: Bool { article == nil && gist == nil && original == nil }
    var people: String {
        switch direction {
        case .withMe: "from \(entry.sharedByName.sanitized)"
        case .byMe: "with \((entry.sharedWithName ?? "someone who has left").sanitized)"
        case .own: "by \((entry.sourceApplication ?? "you").sanitized)"
        }
    }
    var createdTime: String { ISO8601.seconds(entry.createdAt) }
    var createdAgo: String { RelativeTime.ago(entry.createdAt, now: now) }
    var stateText: String? {
        if entry.withdrawnAt != nil { return "withdrawn" }
        if direction == .byMe { return entry.processed ? "saved or dismissed" : "no response yet" }
        return nil
    }
    var failure: TimedText? { entry.error.map(TimedText.init) }
    var nextTry: String? { entry.nextTryAt.map(ISO8601.seconds) }
    var nextTryIn: String { entry.nextTryAt.map { RelativeTime.until($0, now: now) } ?? "" }
    var acceptPath: String? { direction == .withMe && entry.gistId == nil ? "\(path)/accept" : nil }
    var dismissPath: String? {
        direction == .withMe || (direction == .own && entry.error != nil) ? "\(path)/dismiss" : nil
    }
    var withdrawPath: String? {
        direction == .byMe && entry.withdrawnAt == nil ? "\(path)/withdraw" : nil
    }
}

struct ColleagueChoices: Sendable {
    let choices: [SelectOption]

    init(_ people: [(id: UserID, name: String)], chosen: String? = nil) {
        choices = people.map {
            SelectOption(value: "\($0.id)", text: $0.name.sanitized, isChosen: chosen == "\($0.id)")
        }
    }

    var hasChoices: Bool { !choices.isEmpty }
}
