import GitHub

/// `/pulls`: the inbox, and how it is shown.
struct PullsView: PageView, Sendable {
    let layout: LayoutView
    let board: PullBoardView
    let query: InboxQuery
    let choices: PullChoices
    let choiceGroups: [ChoiceGroup]
    let overrides: [Override]
    let authorChoices, labelChoices: [SelectOption]

    /// - Parameter choices: as they hold for this page
    init(layout: LayoutView, board: PullBoardView, query: InboxQuery, choices: PullChoices) {
        self.layout = layout
        self.board = board
        self.query = query
        self.choices = choices
        choiceGroups = ChoiceGroup.all(choices)
        overrides = query.overrides.map { Override(name: $0.name, value: $0.value) }
        let author = String(query.author.drop { $0 == "@" })
        authorChoices = Self.choices("Everybody", board.lists.authors, chosen: author)
        labelChoices = Self.choices("Any", board.lists.labels, chosen: query.label)
    }

    /// What is offered, after the words for all of it; what is chosen is among them though nothing has it now.
    private static func choices(_ all: String, _ offers: [String], chosen: String) -> [SelectOption] {
        let known = offers.first { $0.lowercased() == chosen.lowercased() }
        let values = offers + (chosen.isEmpty || known != nil ? [] : [chosen])
        return [SelectOption(value: "", text: all, isChosen: chosen.isEmpty)]
            + values.map { SelectOption(value: $0, text: $0, isChosen: $0 == known ?? chosen) }
    }

    var expectedBytes: Int {
        board.lists.sections.reduce(32_768) { $0 + 1_800 * $1.shown }
    }
    var rowsQuery: String { query.address.isEmpty ? "" : "?\(query.address)" }
    var textFilter: String { query.text }
    var isFiltering: Bool { query.isFiltering }
    var isNarrow: Bool { !query.author.isEmpty || !query.label.isEmpty }
    var notifies: Bool { choices.notifies }
    var sounds: Bool { choices.sounds }

    struct Override {
        let name, value: String

        var overrideName: String { self.name }
        var overrideValue: String { value }
    }
}

/// One of the ways in which the inbox can be shown, as a row of buttons.
struct ChoiceGroup {
    let label: String
    let groupChoices: [SelectOption]

    private init(_ name: String, _ label: String, chosen: String, _ choices: KeyValuePairs<String, String>) {
        self.label = label
        groupChoices = choices.map { SelectOption(value: $0, text: $1, isChosen: $0 == chosen, name: name) }
    }

    static func all(_ choices: PullChoices) -> [ChoiceGroup] {
        [
            ChoiceGroup(
                "sort", "Order", chosen: choices.sort.rawValue,
                ["age": "Longest wait", "update": "Latest update", "size": "Smallest"]),
            ChoiceGroup(
                "group", "Group by", chosen: choices.grouping.rawValue,
                ["none": "Nothing", "repository": "Repository"]),
            ChoiceGroup(
                "drafts", "Drafts", chosen: choices.drafts.rawValue,
                ["shown": "Shown", "hidden": "Hidden", "only": "Only these"]),
            ChoiceGroup(
                "bots", "Bots", chosen: choices.hidesBots ? "hidden" : "shown",
                ["shown": "Shown", "hidden": "Hidden"]),
        ]
    }

    var groupLabel: String { label }
}

/// `/pulls/keys`: what the keyboard does, for people without scripts; `?` shows the same.
struct PullKeysView: PageView, Sendable {
    let layout: LayoutView
}
