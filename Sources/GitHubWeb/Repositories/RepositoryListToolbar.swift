import GitHub
import RoostWeb
import TextFormats

/// The template `repositories/tools`: filter, grouping and sort order.
struct RepositoryListToolbar: Sendable {
    let list: RepositoryPreferences.List
    let action, text: String
    let back: String
    let overrides: [Hidden]
    let choiceGroups: [Group]

    /// - Parameters:
    ///   - choices: including overrides from the query
    ///   - hidden: the query's fields that the filter form carries along, without `text`
    init(
        _ list: RepositoryPreferences.List, choices: RepositoryListPreferences, action: String,
        hidden: [(name: String, value: String)], text: String, back: String
    ) {
        self.list = list
        self.action = action
        self.text = text
        self.back = back
        overrides = hidden.map { Hidden(name: $0.name, value: $0.value) }
        choiceGroups = [
            Group(
                name: "group", label: "Group by", chosen: choices.grouping.rawValue,
                choices: GroupingOption.offered.map { ($0.rawValue, $0.word) }),
            Group(
                name: "sort", label: "Order", chosen: choices.sort.rawValue,
                choices: RepositorySort.allCases.map { ($0.rawValue, $0.word(in: list)) }),
        ]
    }
    var isFiltering: Bool { !text.allSatisfy(\.isWhitespace) }

    var unfilteredAddress: String {
        let pairs = overrides.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }
        return pairs.isEmpty ? action : "\(action)?\(pairs.joined(separator: "&"))"
    }

    struct Hidden {
        let name, value: String
    }

    struct Group {
        let label: String
        let groupChoices: [SelectOption]

        init(name: String, label: String, chosen: String, choices: [(value: String, text: String)]) {
            self.label = label
            groupChoices = choices.map {
                SelectOption(value: $0.value, text: $0.text, isChosen: $0.value == chosen, name: name)
            }
        }
    }
}

extension GroupingOption {
    fileprivate static let offered: [GroupingOption] = [
        .none, .ownerType, .forkStatus, .language, .starCount,
    ]

    fileprivate var word: String {
        switch self {
        case .none: "Nothing"
        case .ownerType: "Owner"
        case .forkStatus: "Forks"
        case .language: "Language"
        case .starCount: "Stars"
        }
    }
}

extension RepositorySort {
    fileprivate func word(in list: RepositoryPreferences.List) -> String {
        switch self {
        case .listed: list == .browse ? "GitHub order" : "Latest first"
        case .name: "Name"
        case .stars: "Stars"
        case .forks: "Forks"
        case .pushed: "Last push"
        }
    }
}
