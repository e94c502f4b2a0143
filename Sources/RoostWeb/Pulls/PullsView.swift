package import RoostServices

/// `/pulls`: the inbox, and how it is shown.
package struct PullsView: PageView {
    package static let template = "pulls/page"

    package let layout: LayoutView
    package let board: PullBoardView
    package let query: InboxQuery
    package let choices: PullChoices
    package let waiting: Int
    private let groups, overrides: [Part]

    /// - Parameters:
    ///   - choices: as they hold for this page
    ///   - waiting: how many wait for the reader, for the tab's title
    package init(
        layout: LayoutView, board: PullBoardView, query: InboxQuery, choices: PullChoices, waiting: Int
    ) {
        self.layout = layout
        self.board = board
        self.query = query
        self.choices = choices
        self.waiting = waiting
        groups = ChoiceGroup.all(choices).map(Part.init)
        overrides = query.overrides.map { Part(Override(name: $0.name, value: $0.value)) }
    }

    package func field(_ name: String) -> Any? {
        switch name {
        case "titleCount": waiting > 0 ? waiting : nil
        case "rowsQuery": query.address.isEmpty ? "" : "?\(query.address)"
        case "textWish": query.text
        case "authorWish": query.author
        case "labelWish": query.label
        case "isFiltering": query.isFiltering
        case "isNarrow": !query.author.isEmpty || !query.label.isEmpty
        case "overrides": overrides
        case "choiceGroups": groups
        case "notifies": choices.notifies
        case "sounds": choices.sounds
        default: board.field(name) ?? layout.field(name)
        }
    }

    private struct Override: ViewFields {
        let name, value: String

        func field(_ name: String) -> Any? {
            switch name {
            case "overrideName": self.name
            case "overrideValue": value
            default: nil
            }
        }
    }
}

/// One of the ways in which the inbox can be shown, as a row of buttons.
private struct ChoiceGroup: ViewFields {
    let name, label: String
    let choices: [Part]

    private init(_ name: String, _ label: String, chosen: String, _ choices: KeyValuePairs<String, String>) {
        self.name = name
        self.label = label
        self.choices = choices.map { Part(Choice(value: $0, text: $1, isChosen: $0 == chosen)) }
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

    func field(_ name: String) -> Any? {
        switch name {
        case "groupName": self.name
        case "groupLabel": label
        case "groupChoices": choices
        default: nil
        }
    }
}

/// `/pulls/keys`: what the keyboard does, for people without scripts; `?` shows the same.
package struct PullKeysView: PageView {
    package static let template = "pulls/keys"

    package let layout: LayoutView

    package init(layout: LayoutView) {
        self.layout = layout
    }

    package static let sample = PullKeysView(layout: .sample)

    package func field(_ name: String) -> Any? { layout.field(name) }
}
