import Reading
import RoostWeb

struct ReadingView: PageView, Sendable {
    static let scripts = ["reading"]

    let layout: LayoutView
    let offlineOwner: String
    let list: ReadingListView
    let readingTabs: ReadingTabs
    let save: SaveFormView
    let isManyOpen: Bool
    let manyText: String
    let manyError: String?
    let query: ReadingQuery

    init(
        layout: LayoutView, offlineOwner: String, list: ReadingListView, query: ReadingQuery, shared: Int = 0,
        saving: FormState = .empty, many: FormState = .empty
    ) {
        self.layout = layout
        self.offlineOwner = offlineOwner
        self.list = list
        self.query = query
        readingTabs = ReadingTabs(.articles, shared: shared)
        save = SaveFormView(saving, back: list.back)
        manyText = many.typed["lines"] ?? ""
        manyError = many.fieldErrors["lines"] ?? many.error
        isManyOpen = many != .empty
    }

    var listTitle: String { query.list == .unread ? "Reading" : "\(query.list.title) · Reading" }
    var listQuery: String { query.address.isEmpty ? "" : "?\(query.address)" }
    var isListEmpty: Bool { !list.hasAny }
    var searchText: String? { query.text.isEmpty ? nil : query.text }
    var hidden: [HiddenField] { query.overrides(but: ["text", "sort"]).map(HiddenField.init) }
    var sorts: [SelectOption] {
        ArticleSort.allCases.map {
            SelectOption(value: $0.rawValue, text: $0.title, isChosen: $0 == query.sort)
        }
    }
}

struct SaveFormView: Sendable {
    let back: String
    let saveForm: FormView

    init(_ state: FormState = .empty, back: String) {
        self.back = back
        var address = FieldView("url", "Save a page", in: state, form: "save")
        address.placeholder = "https://"
        address.limit = 4_096
        saveForm = FormView([address], state)
    }
}

struct HiddenField {
    let name, value: String
}

struct ReadingTabs: Sendable {
    enum Tab: Sendable { case articles, gists, shared, tools }

    private let tab: Tab
    private let count: Int

    /// - Parameter shared: the number of unprocessed items that others have shared with the user
    init(_ tab: Tab, shared: Int = 0) {
        self.tab = tab
        count = shared
    }

    var isArticles: Bool { tab == .articles }
    var isGists: Bool { tab == .gists }
    var isShared: Bool { tab == .shared }
    var isTools: Bool { tab == .tools }
    var sharedCount: String? { count > 0 ? NumberText.grouped(count) : nil }
}
