package import RoostServices

/// The filter over a list, and how it is grouped and sorted: `repositories/tools`, for the explorer and the bookmarks.
package struct RepositoryTools: ViewFields {
    private let list: RepositoryChoices.List
    private let action, text, back: String
    private let hidden, groups: [Part]

    /// - Parameters:
    ///   - list: whose choices the buttons change
    ///   - choices: as they hold for this page
    ///   - action: the page's path
    ///   - hidden: the page's query apart from `text`, for the filter to carry on
    ///   - text: what is filtered by
    ///   - back: path and query of the page
    package init(
        _ list: RepositoryChoices.List, choices: RepositoryChoices, action: String,
        hidden: [(name: String, value: String)], text: String, back: String
    ) {
        self.list = list
        self.action = action
        self.text = text
        self.back = back
        self.hidden = hidden.map { Part(Hidden(name: $0.name, value: $0.value)) }
        groups = [
            Part(
                Group(
                    name: "group", label: "Group by", chosen: choices.grouping.rawValue,
                    choices: GroupingOption.offered.map { ($0.rawValue, $0.word) })),
            Part(
                Group(
                    name: "sort", label: "Order", chosen: choices.sort.rawValue,
                    choices: RepositorySort.allCases.map { ($0.rawValue, $0.word(in: list)) })),
        ]
    }

    package func field(_ name: String) -> Any? {
        switch name {
        case "filterAddress": action
        case "overrides": hidden
        case "textWish": text
        case "isFiltering": !text.allSatisfy(\.isWhitespace)
        case "unfilteredAddress": unfiltered
        case "choiceList": list.rawValue
        case "back": back
        case "choiceGroups": groups
        default: nil
        }
    }

    private var unfiltered: String {
        let pairs = hidden.compactMap { part -> String? in
            guard let name = part.child(named: "overrideName") as? String,
                let value = part.child(named: "overrideValue") as? String
            else { return nil }
            return "\(name)=\(PercentEncoding.encode(value))"
        }
        return pairs.isEmpty ? action : "\(action)?\(pairs.joined(separator: "&"))"
    }

    private struct Hidden: ViewFields {
        let name, value: String

        func field(_ name: String) -> Any? {
            switch name {
            case "overrideName": self.name
            case "overrideValue": value
            default: nil
            }
        }
    }

    private struct Group: ViewFields {
        let name, label, chosen: String
        let choices: [(value: String, text: String)]

        func field(_ name: String) -> Any? {
            switch name {
            case "groupName": self.name
            case "groupLabel": label
            case "groupChoices":
                choices.map { Part(Choice(value: $0.value, text: $0.text, isChosen: $0.value == chosen)) }
            default: nil
            }
        }
    }
}

extension GroupingOption {
    /// In the order of the buttons.
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
    fileprivate func word(in list: RepositoryChoices.List) -> String {
        switch self {
        case .listed: list == .browse ? "As GitHub has it" : "Latest first"
        case .name: "Name"
        case .stars: "Stars"
        case .forks: "Forks"
        case .pushed: "Last push"
        }
    }
}
