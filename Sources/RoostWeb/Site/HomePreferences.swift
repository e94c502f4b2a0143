package import Accounts
package import Foundation
package import RoostSupport

/// How a user has arranged the tiles of the home page.
package struct HomePreferences: Preferences, Equatable {
    package enum Size: String, CaseIterable, Codable, Sendable {
        case short, normal, long

        package var rows: Int {
            switch self {
            case .short: 3
            case .normal: 5
            case .long: 10
            }
        }
    }

    package enum Width: String, CaseIterable, Codable, Sendable {
        case column, double, page

        package var text: String {
            switch self {
            case .column: "One column"
            case .double: "Two columns"
            case .page: "As wide as the page"
            }
        }
    }

    package static let name = "home"

    /// Keys of tiles. Tiles that are not listed follow in the standard order.
    package var order: [String] = []
    package var hidden: Set<String> = []
    /// By key of tile; others are `normal`.
    package var sizes: [String: Size] = [:]
    /// Keys of the tiles that are as wide as the page.
    package private(set) var wide: Set<String> = []
    /// Keys of the tiles that are as wide as two columns; all others take one.
    package private(set) var double: Set<String> = []

    package init() {}

    package func size(of kind: TileKind) -> Size { sizes[kind.key] ?? .normal }

    package func width(of kind: TileKind) -> Width {
        wide.contains(kind.key) ? .page : double.contains(kind.key) ? .double : .column
    }

    package mutating func setWidth(_ width: Width, ofTile key: String) {
        wide.remove(key)
        double.remove(key)
        switch width {
        case .column: break
        case .double: double.insert(key)
        case .page: wide.insert(key)
        }
    }

    /// Sorts tiles by this order, each once even if an imported order repeats it. `kinds` has the standard order.
    package func arranged(_ kinds: [TileKind]) -> [TileKind] {
        var others = kinds
        let listed = order.compactMap { key in
            others.firstIndex { $0.key == key }.map { others.remove(at: $0) }
        }
        return listed + others
    }
}

/// A kind of tile on the home page; each feature has at most one.
package struct TileKind: Hashable, Sendable {
    /// The feature's path without the slash.
    package let key: String
    package let name: String

    package init(_ key: String, _ name: String) {
        self.key = key
        self.name = name
    }

    /// Fetched again when one of the tile's topics changes.
    package var address: String { "/\(key)/tile" }
}

/// What a tile shows: its maximum number of rows, and what counts as new.
package struct TileScope: Sendable {
    package let rows: Int
    /// The end of the user's previous visit; nil on the first one.
    package let previousVisit: Date?

    package init(rows: Int = HomePreferences.Size.normal.rows, previousVisit: Date? = nil) {
        self.rows = rows
        self.previousVisit = previousVisit
    }
}

extension RouteGuard {
    /// A tile as the home page fetches it again. Its size is the user's.
    package func tile<View: HTMLTileView>(
        _ kind: TileKind, topics: @escaping @Sendable (User) -> [String],
        _ read: @escaping @Sendable (Reads, User, TileScope) throws -> View
    ) -> SiteRoute where View.Context == TemplateContext {
        fragment(kind.address, topics: { topics($1) + [Topic.home($1.userId)] }) { reads, _, user in
            let size = try reads.preferences(HomePreferences.self, of: user.userId).size(of: kind)
            return try read(reads, user, TileScope(rows: size.rows))
        }
    }
}

extension Topic {
    /// The arrangement of a user's home page.
    package static func home(_ user: UserID) -> String { "home/\(user)" }
}
