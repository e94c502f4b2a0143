import Foundation
import GitHub
import RoostWeb

struct PullsView: PageView, Sendable {
    static let scripts = ["pulls"]

    let layout: LayoutView
    let board: PullBoardView
    let query: InboxQuery
    let choices: PullPreferences
    let choiceGroups: [ChoiceGroup]
    let overrides: [Override]
    let authorChoices, labelChoices: [SelectOption]

    /// - Parameter choices: including overrides from the query
    init(layout: LayoutView, board: PullBoardView, query: InboxQuery, choices: PullPreferences) {
        self.layout = layout
        self.board = board
        self.query = query
        self.choices = choices
        choiceGroups = ChoiceGroup.all(choices)
        overrides = query.overrides.map { Override(name: $0.name, value: $0.value) }
        let author = String(query.author.drop { $0 == "@" })
        authorChoices = Self.choices("Anyone", board.lists.authors, chosen: author)
        labelChoices = Self.choices("Any", board.lists.labels, chosen: query.label)
    }

    /// Includes the chosen value even if no pull request has it now.
    private static func choices(_ all: String, _ offers: [String], chosen: String) -> [SelectOption] {
        let offered = offers.first { $0.lowercased() == chosen.lowercased() }
        let values = offers + (chosen.isEmpty || offered != nil ? [] : [chosen])
        return [SelectOption(value: "", text: all, isChosen: chosen.isEmpty)]
            + values.map { SelectOption(value: $0, text: $0, isChosen: $0 == offered ?? chosen) }
    }

    var expectedBytes: Int {
        board.lists.sections.reduce(32_768) { $0 + 1_800 * $1.shown }
    }
    var rowsQuery: String { query.address.isEmpty ? "" : "?\(query.address)" }
    var isNarrow: Bool { !query.author.isEmpty || !query.label.isEmpty }

    struct Override {
        let name, value: String
    }
}

struct ChoiceGroup {
    let label: String
    let groupChoices: [SelectOption]

    private init(_ name: String, _ label: String, chosen: String, _ choices: KeyValuePairs<String, String>) {
        self.label = label
        groupChoices = choices.map { SelectOption(value: $0, text: $1, isChosen: $0 == chosen, name: name) }
    }

    static func all(_ choices: PullPreferences) -> [ChoiceGroup] {
        [
            ChoiceGroup(
                "sort", "Order", chosen: choices.sort.rawValue,
                ["age": "Longest wait", "update": "Latest update", "size": "Smallest"]),
            ChoiceGroup(
                "group", "Group by", chosen: choices.grouping.rawValue,
                ["none": "Nothing", "repository": "Repository"]),
            ChoiceGroup(
                "drafts", "Drafts", chosen: choices.drafts.rawValue,
                ["shown": "Shown", "hidden": "Hidden", "only": "Only drafts"]),
            ChoiceGroup(
                "bots", "Bots", chosen: choices.hidesBots ? "hidden" : "shown",
                ["shown": "Shown", "hidden": "Hidden"]),
        ]
    }
}

/// `/pulls/keys`: the keyboard shortcuts, for browsers without scripts; `?` shows the same list.
struct PullKeysView: PageView, Sendable {
    let layout: LayoutView
}

/// `/pulls/rows`: the live part of the inbox page.
struct PullBoardView: Sendable {
    let lists: PullListsView
    let back: String
    let sources: [PullSourceView]
    let isConnected: Bool

    init(
        sources: [InboxSource], lists: PullListsView, back: String = "/pulls", now: Date
    ) {
        self.lists = lists
        self.back = back
        isConnected = !sources.isEmpty
        self.sources = sources.map {
            PullSourceView($0, isOnly: sources.count == 1, back: back, now: now)
        }
    }
}

/// The lists of the inbox. The rendered text can be cached, as it contains no CSRF token and no age in seconds.
struct PullListsView: Sendable {
    let sections: [PullSectionView]
    let hidden: [HiddenPullRow]
    var authors: [String] = []
    var labels: [String] = []

    var hasHidden: Bool { !hidden.isEmpty }
    var hasIndex: Bool { sections.count + (hasHidden ? 1 : 0) > 1 }
}

struct PullGroupRow: Sendable {
    let name: String
    let count: Int
}

/// `/pulls/HOST/OWNER/NAME/NUMBER/snooze`: snooze times for browsers without scripts; others use a menu in the inbox.
struct PullSnoozeView: PageView, Sendable {
    let layout: LayoutView
    let item: InboxItem
    let back: String

    var shareAddress: String { ShareAddress.of(item.pull.htmlURL) }
}
