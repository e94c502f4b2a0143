import Foundation
import HTMLTemplates

@testable import ArticleText
@testable import Reading
@testable import ReadingWeb
@testable import RoostSupport
@testable import RoostWeb
@testable import TextFormats

extension ArticleEditView {
    static let sample = ArticleEditView(
        layout: .sample, item: ArticleItem.samples[0],
        form: FormState(
            typed: ["title": "My <title>"], fieldErrors: ["tags": "A tag can have up to 40 characters."]),
        categories: ["Unsorted", "Later & <more>"], isConflict: true)
}

extension ArticleRow {
    static let sample = ArticleRow(ArticleItem.samples[0], now: .sample)
}

extension ArticleTextView {
    static let sample = ArticleTextView(
        .sample, preferences: ReadingPreferences(), colleagues: .sample, link: "/reading/1",
        newText: "Page <not> found\nIt may have been moved & deleted.",
        refused: Refused(
            form: FormState(
                typed: ["quote": "not in <it>"],
                fieldErrors: ["quote": "This passage isn’t in the text."])))

    static let failedSample = ArticleTextView(
        ReadingArticle(item: ArticleItem.samples[3]), preferences: ReadingPreferences(),
        colleagues: .sample, link: "/reading/4")

    static let waitingSample = ArticleTextView(
        ReadingArticle(item: ArticleItem.samples[2]), preferences: ReadingPreferences(),
        colleagues: .sample, link: "/reading/3")
}

extension ArticleView {
    static let sample = ArticleView(layout: .sample, offlineOwner: "1-session-1", text: .sample)
}

extension ColleagueChoices {
    static let sample = ColleagueChoices([(2, "Grace Hopper"), (3, "Kurt <b>")])
}

extension GistEditView {
    static let sample = GistEditView(
        layout: .sample, item: GistItem.samples[0],
        form: FormState(
            typed: ["content": "Mine & <only> mine"], fieldErrors: ["content": "The text is too long."]),
        isConflict: true)
}

extension GistNewView {
    static let sample = GistNewView(
        layout: .sample,
        form: FormState(
            typed: ["title": "A <b>", "text": "Words & words"], fieldErrors: ["text": "There is no text."]))
}

extension GistView {
    static let sample = GistView(
        layout: .sample, offlineOwner: "1-session-1", item: GistItem.samples[0], isOwn: true,
        link: SharedLink(address: "http://192.168.1.20:8080/shared-gists/sample-secret-of-a-shared-gist"),
        colleagues: .sample, length: .automatic, asksToReplace: true, now: .sample)
}

extension GistTextView {
    static let sample = GistTextView(GistItem.samples[0], isOwn: true, now: .sample)
}

extension GistsView {
    static let sample = GistsView(
        layout: .sample, offlineOwner: "1-session-1", list: .sample, shared: 1)
}

extension GistsListView {
    static let sample = GistsListView(
        GistPage(items: GistItem.samples, next: nil, total: 120), cursor: nil, next: "c1", now: .sample)
}

extension ReadingImportsView {
    static let sample = ReadingImportsView(ImportRow.samples)
}

extension ImportRow {
    static let samples = [
        ImportRow(
            ArticleImport(
                id: 3, fileName: "<pocket>.zip", format: .pocket, fetches: true, state: .running,
                total: 1_000,
                added: 400, duplicates: 20, merged: 5, failed: 2, removed: 0, startedAt: .sample - 30,
                endedAt: nil
            ),
            problems: [
                ImportProblem(
                    row: 17, part: "part_000000.csv", address: "ftp://<x>", why: "This isn’t a web address.",
                    isImported: false)
            ], now: .sample),
        ImportRow(
            ArticleImport(
                id: 2, fileName: "links.html", format: .netscape, fetches: false, state: .done, total: 3,
                added: 3, duplicates: 0, failed: 0, removed: 0, startedAt: .sample - 9_000,
                endedAt: .sample - 8_990), problems: [], now: .sample),
    ]
}

extension ReadingListView {
    static let sample = ReadingListView(
        rows: ArticleItem.samples.map { ArticleRow($0, now: .sample) }
            + [
                ArticleRow(
                    ArticleItem.samples[0], reason: "You read most of example.org to the end.", now: .sample)
            ],
        total: 1_204, next: "c1",
        counts: ReadingCounts(unread: 1_204, favorites: 12, archived: 300, failed: 1),
        chips: ReadingChips(
            counts: ReadingCounts(unread: 1_204, favorites: 12, archived: 300, failed: 1),
            categories: [.init(name: "Unsorted", count: 900), .init(name: "Später <lesen>", count: 3)],
            tags: [.init(name: "swift", count: 12), .init(name: "<b>bold</b>", count: 1)],
            sites: [.init(name: "example.org", count: 40), .init(name: "news.example", count: 2)],
            query: ReadingQuery()),
        query: ReadingQuery().changed { $0.text = "clock" })
}

extension ReadingSharedView {
    static let sample = ReadingSharedView(
        layout: .sample, offlineOwner: "1-session-1", list: .sample, shared: 1, colleagues: .sample,
        form: FormState(typed: ["url": "<x>"], fieldErrors: ["url": "This isn’t a web address."]))
}

extension SharedListView {
    static let sample = SharedListView([
        .withMe: Part([SharedRow.samples[0]]), .byMe: Part([SharedRow.samples[1]], next: "c1"),
        .own: Part([SharedRow.samples[2]]),
    ])
}

extension SharedRow {
    static let samples: [SharedRow] = [
        sample(1, .withMe), sample(2, .byMe) { $0.withdrawnAt = .sample - 5 },
        sample(3, .own) { $0.error = "The site did not answer in time." },
    ]

    private static func sample(
        _ id: Int64, _ direction: SharedItemService.Direction,
        _ change: (inout SharedItemEntry) -> Void = { _ in }
    ) -> SharedRow {
        var entry = SharedItemEntry()
        (entry.id, entry.sharedBy, entry.sharedWith) = (id, 1, direction == .own ? nil : 2)
        (entry.url, entry.title) = ("https://example.org/<\(id)>", "Look & <see>")
        (entry.sourceApplication, entry.createdAt) = ("share", .sample - 600)
        (entry.sharedByName, entry.sharedWithName) = ("Grace <Hopper>", "Kurt")
        change(&entry)
        return SharedRow(entry, direction, now: .sample)
    }
}

extension ReadingTileView {
    static let sample = ReadingTileView(
        ArticleItem.samples, counts: ReadingCounts(unread: 231, archived: 4), now: .sample)
}

extension ReadingToolsView {
    static let sample = ReadingToolsView(
        layout: .sample, offlineOwner: "1-session-1", shared: 1,
        bookmarklet: "javascript:(() => { \"<x>\" })()",
        feeds: FeedRow.samples, imports: .sample, count: 1_204,
        exportParts: [
            ExportPartLink(
                number: 1, part: .init(ids: 1...7, hasGists: false), format: .json, hasTexts: true)
        ], categories: ["Unsorted", "<b>"],
        tags: ["swift"], preferences: ReadingPreferences.with { $0.gistLength = .words(80) },
        fileError: "This is no list of articles.",
        feedForm: FormState(fieldErrors: ["list": "Suggestions have no feed."]))
}

extension FeedRow {
    static let samples = [
        FeedRow(
            ReadingFeed(
                id: 4, filter: ArticleFilter(list: .all, tag: "<swift>"), token: "sample-secret-of-a-feed",
                createdAt: .sample),
            address: "http://192.168.1.20:8080/reading/feeds/sample-secret-of-a-feed.atom")
    ]
}

extension ReadingView {
    static let sample = ReadingView(
        layout: .sample, offlineOwner: "1-session-1", list: .sample,
        query: ReadingQuery().changed { $0.text = "clock" }, shared: 2,
        saving: FormState(typed: ["url": "ftp://x"], fieldErrors: ["url": "An address begins with https://."])
    )
}

extension SaveFormView {
    static let sample = SaveFormView(
        FormState(typed: ["url": "ftp://x"], fieldErrors: ["url": "An address begins with https://."]),
        back: ReadingController.path)
}

extension SaveManyView {
    static let sample = SaveManyView(
        layout: .sample,
        lines: [
            SavedLine(
                number: 1, line: "https://example.org/a", message: SavedArticle.saved, id: 1, isNew: true),
            SavedLine(number: 2, line: "https://example.org/a", message: SavedArticle.alreadySaved, id: 1),
            SavedLine(number: 3, line: "no <address>", message: "This isn’t a web address."),
        ], text: "https://example.org/a\nhttps://example.org/a\nno <address>")
}

extension SaveView {
    static let sample = SaveView(
        layout: .sample,
        form: FormState(
            typed: ["url": "ftp://example.org/<x>", "title": "A \"page\""],
            fieldErrors: ["url": "An address begins with http:// or https://."]),
        source: "share", sharedText: "Look at <this>")

    static let savedSample = SaveView(
        layout: .sample, form: .empty, source: "bookmarklet",
        saved: Saved(message: "Article saved.", path: "/reading/1", title: "How a clock keeps time"))
}

extension SharedGistView {
    static let sample = SharedGistView(layout: .sample, gist: GistItem.samples[0].gist)
}

extension ReadingArticle {
    static let sample = ReadingArticle(
        item: itemWithNewText,
        markup: "<h2>The tower</h2><p>A clock needs a <b>weight</b> &amp; a wheel.</p><pre>tick</pre>",
        text: "The tower\nA clock needs a weight & a wheel.\ntick",
        comments: "<blockquote><p><b>Grace</b></p><p>Mine needs winding every day.</p></blockquote>",
        highlights: [
            Highlight(
                id: "5f8f2f6e-0000-4000-8000-000000000001", articleId: 1, start: 11, end: 31,
                quote: "clock needs a weight", note: "Which one? <b>", createdAt: .sample - 500,
                updatedAt: .sample - 400)
        ], gist: GistItem.samples[0])

    private static var itemWithNewText: ArticleItem {
        var item = ArticleItem.samples[0]
        item.newText = .init(
            reason: .notFound, fetchedAt: .sample - 60, title: "Not <found>", wordCount: 9)
        return item
    }
}
