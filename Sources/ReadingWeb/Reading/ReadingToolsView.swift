import Reading
import RoostWeb

struct ReadingToolsView: PageView, Sendable {
    static let scripts = ["reading-tools"]

    let layout: LayoutView
    let offlineOwner: String
    let readingTabs: ReadingTabs
    let bookmarklet: String
    let feeds: [FeedRow]
    let imports: ReadingImportsView
    let fileError: String?
    let feedError: String?
    private let count: Int
    let exportParts: [ExportPartLink]
    private let feedForm: FormState
    private let categories, tags: [String]
    private let preferences: ReadingPreferences

    /// - Parameter bookmarklet: a "javascript:" address
    init(
        layout: LayoutView, offlineOwner: String, shared: Int, bookmarklet: String, feeds: [FeedRow],
        imports: ReadingImportsView, count: Int, exportParts: [ExportPartLink] = [], categories: [String],
        tags: [String],
        preferences: ReadingPreferences, fileError: String? = nil, feedForm: FormState = .empty
    ) {
        self.exportParts = exportParts
        self.layout = layout
        self.offlineOwner = offlineOwner
        self.bookmarklet = bookmarklet
        self.feeds = feeds
        self.imports = imports
        self.count = count
        self.categories = categories
        self.tags = tags
        self.preferences = preferences
        self.fileError = fileError
        self.feedForm = feedForm
        readingTabs = ReadingTabs(.tools, shared: shared)
        feedError = feedForm.message
    }

    var limits: String { ArticleImportService.rules.limits }
    var hasFeeds: Bool { !feeds.isEmpty }
    var isInParts: Bool { !exportParts.isEmpty }
    var hasArticles: Bool { count > 0 }
    var articleCount: String { NumberText.grouped(count) }
    var gistLengths: [SelectOption] { GistLengthChoice.options(chosen: preferences.gistLength) }
    var feedLists: [SelectOption] {
        ArticleFilter.List.allCases.filter { $0 != .suggested && $0 != .failed }.map {
            SelectOption(
                value: $0.rawValue, text: $0.title, isChosen: feedForm.typed["list"] == $0.rawValue)
        }
    }
    var feedCategories: [SelectOption] { options(categories, "Any category", "category") }
    var feedTags: [SelectOption] { options(tags, "Any tag", "tag") }

    private func options(_ names: [String], _ any: String, _ field: String) -> [SelectOption] {
        [SelectOption(value: "", text: any, isChosen: false)]
            + names.prefix(200).map {
                SelectOption(value: $0, text: $0.sanitized, isChosen: feedForm.typed[field] == $0)
            }
    }
}

struct FeedRow: Sendable {
    private let feed: ReadingFeed
    let feedAddress: String

    init(_ feed: ReadingFeed, address: String) {
        self.feed = feed
        feedAddress = address
    }

    var feedTitle: String { ReadingFeedService.title(feed.filter).sanitized }
    var feedPath: String { "/reading/feeds/\(feed.id)" }
}

struct ExportPartLink: Sendable {
    private let number: Int
    private let part: ArticleExport.Part
    private let format: ArticleExport.Format
    private let hasTexts: Bool

    init(number: Int, part: ArticleExport.Part, format: ArticleExport.Format, hasTexts: Bool) {
        self.number = number
        self.part = part
        self.format = format
        self.hasTexts = hasTexts
    }

    var partName: String { "Part \(number)" }

    var partAddress: String {
        let ending = format == .netscape ? "html" : format.rawValue
        let last = part.ids.upperBound == .max ? "" : "\(part.ids.upperBound)"
        return "/reading/export.\(ending)?from=\(part.ids.lowerBound)&to=\(last)"
            + (part.hasGists ? "&gists=1" : "") + (hasTexts ? "&texts=1" : "")
    }
}
