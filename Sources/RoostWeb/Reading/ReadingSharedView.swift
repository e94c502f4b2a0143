package import Foundation
package import Reading
import TextFormats

/// `/reading/shared`: what users have shared with each other, and what is on its way into the list.
package struct ReadingSharedView: PageView, Sendable {
    package let layout: LayoutView
    let offlineOwner: String
    let list: SharedListView
    let readingTabs: ReadingTabs
    let shareForm: FormView
    let colleagues: ColleagueChoices

    /// - Parameter form: what was typed to be shared, and what is wrong with it
    package init(
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

    package static let sample = ReadingSharedView(
        layout: .sample, offlineOwner: "1-session-1", list: .sample, shared: 1, colleagues: .sample,
        form: FormState(typed: ["url": "<x>"], fieldErrors: ["url": "This is no web address."]))
}

/// `/reading/shared/list`: the live part of the page.
package struct SharedListView: Sendable {
    /// A page of one of the lists.
    package struct Part: Sendable {
        let rows: [SharedRow]
        let next: String?

        package init(_ rows: [SharedRow], next: String? = nil) {
            self.rows = rows
            self.next = next
        }
    }

    private let parts: [SharedItemService.Direction: Part]

    package init(_ parts: [SharedItemService.Direction: Part]) { self.parts = parts }

    package static let sample = SharedListView([
        .withMe: Part([SharedRow.samples[0]]), .byMe: Part([SharedRow.samples[1]], next: "c1"),
        .own: Part([SharedRow.samples[2]]),
    ])

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

/// A shared item in a list.
package struct SharedRow: Sendable {
    private let entry: SharedItemEntry
    private let direction: SharedItemService.Direction
    private let now: Date

    package init(_ entry: SharedItemEntry, _ direction: SharedItemService.Direction, now: Date) {
        self.entry = entry
        self.direction = direction
        self.now = now
    }

    package static let samples: [SharedRow] = [
        sample(1, .withMe), sample(2, .byMe) { $0.withdrawnAt = .sample - 5 },
        sample(3, .own) { $0.error = "The site did not answer in time." },
    ].compactMap(\.self)

    private static func sample(
        _ id: Int64, _ direction: SharedItemService.Direction, _ change: (inout SharedItem) -> Void = { _ in }
    ) -> SharedRow? {
        guard
            var item = try? SharedItem(
                id: "\(id)", url: "https://example.org/<\(id)>", title: "Look & <see>",
                sourceApplication: "share", createdAt: .sample - 600, processed: false,
                sharedWith: direction == .own ? nil : "2")
        else { return nil }
        change(&item)
        return SharedRow(
            SharedItemEntry(
                item: item, id: id, sharedBy: 1, sharedByName: "Grace <Hopper>", sharedWithName: "Kurt"),
            direction, now: .sample)
    }

    private var path: String { "/reading/shared/\(entry.id)" }

    var itemId: Int64 { entry.id }
    var title: String { (entry.item.title ?? entry.item.url).sanitized }
    var article: String? { entry.articleId.map { "/reading/\($0)" } }
    var gist: String? { entry.item.withdrawnAt == nil ? entry.gistId.map { "/gists/\($0)" } : nil }
    /// A page elsewhere; nil where there is an own one to show.
    var original: String? { article == nil && gist == nil ? OriginalAddress.of(entry.item.url) : nil }
    var isPlain: Bool { article == nil && gist == nil && original == nil }
    var people: String {
        switch direction {
        case .withMe: "from \(entry.sharedByName.sanitized)"
        case .byMe: "with \((entry.sharedWithName ?? "somebody who has left").sanitized)"
        case .own: "by \((entry.item.sourceApplication ?? "you").sanitized)"
        }
    }
    var createdTime: String { ISO8601.seconds(entry.item.createdAt) }
    var createdAgo: String { RelativeTime.ago(entry.item.createdAt, now: now) }
    var stateWords: String? {
        if entry.item.withdrawnAt != nil { return "withdrawn" }
        if direction == .byMe { return entry.item.processed ? "saved or dismissed" : "not looked at yet" }
        return nil
    }
    var trouble: TimedText? { entry.item.error.map(TimedText.init) }
    var nextTry: String? { entry.nextTryAt.map(ISO8601.seconds) }
    var nextTryIn: String { entry.nextTryAt.map { RelativeTime.until($0, now: now) } ?? "" }
    var acceptPath: String? { direction == .withMe && entry.gistId == nil ? "\(path)/accept" : nil }
    var dismissPath: String? {
        direction == .withMe || (direction == .own && entry.item.error != nil) ? "\(path)/dismiss" : nil
    }
    var withdrawPath: String? {
        direction == .byMe && entry.item.withdrawnAt == nil ? "\(path)/withdraw" : nil
    }
}
