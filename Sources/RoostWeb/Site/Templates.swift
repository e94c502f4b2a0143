import Foundation
import Mustache

/// The templates of a folder, read and checked once at start.
package struct Templates: Sendable {
    /// Every view that has a template of its own; a new one adds its line here.
    package static let views: [any TemplateView.Type] = [
        HomeView.self,
        WatchlistView.self, WatchlistRowsView.self, WatchlistRow.self, WatchlistTileView.self,
        PullsView.self, PullBoardView.self, PullListsView.self, PullRow.self, PullGroupRow.self,
        PullsTileView.self,
        PullKeysView.self, PullSectionsView.self,
        RepositoriesView.self, RepositoriesBoardView.self, RepositoryGroupsView.self, RepositoryRow.self,
        RepositoryDetailView.self, RepositoryKeysView.self,
        BookmarksView.self, BookmarkBoardView.self, BookmarksTileView.self, BookmarkImportView.self,
        BookmarkStarsView.self,
        DisplaysView.self, DisplaysTileView.self, DisplayView.self, DisplayScreenView.self,
        SetupView.self, LoginView.self, JoinView.self, JoinCodeView.self, ResetView.self, ClosedLinkView.self,
        ProfileView.self, SecurityView.self, OwnSessionsView.self, TokensView.self,
        GitHubView.self, GitHubAccountsView.self,
        MembersView.self, MembersListView.self, InvitationsView.self, InvitationsListView.self,
        InvitationView.self, AllSessionsView.self, LogView.self,
        ErrorView.self, BareErrorView.self,
    ]

    private let library: MustacheLibrary

    /// Throws `TemplateError` for a view without template, a syntax error, a partial or parent that does not
    /// exist, and a template that nothing uses: the library itself would render each of them as nothing.
    ///
    /// - Parameter directory: holds `site/layout.mustache` and so on
    package init(directory: String, views: [any TemplateView.Type] = Templates.views) throws {
        let sources = try Self.read(directory)
        var library = MustacheLibrary()
        for source in sources.values.sorted(by: { $0.name < $1.name }) {
            let template = try source.compiled()
            library.register(template, named: source.name)
            library.register(template, named: source.parentName)
        }
        var used: Set<String> = []
        for view in views {
            try Self.follow(view.template, wantedBy: "\(view)", in: sources, used: &used)
        }
        if let unused = Set(sources.keys).subtracting(used).min() { throw TemplateError.unused(unused) }
        self.library = library
    }

    /// The view's template filled with the view.
    ///
    /// - Parameter formToken: for the forms of a view that stands for itself; a page's layout has its own
    package func render<View: TemplateView>(_ view: View, formToken: String? = nil) -> String {
        let part = formToken.map { Part(Fragment(view: view, formToken: $0)) } ?? Part(view)
        guard let text = library.render(part, withTemplate: View.template) else {
            // Only a view that is missing in `views` comes here, and each test that renders it fails on this.
            return "No template \(View.template)"
        }
        return text
    }

    private static func follow(
        _ name: String, wantedBy user: String, in sources: [String: TemplateSource], used: inout Set<String>
    ) throws {
        guard let source = sources[name] else { throw TemplateError.missing(name, wantedBy: user) }
        guard used.insert(name).inserted else { return }
        for partial in source.partials { try follow(partial, wantedBy: name, in: sources, used: &used) }
    }

    private static func read(_ directory: String) throws -> [String: TemplateSource] {
        let ending = ".mustache"
        guard let paths = FileManager.default.enumerator(atPath: directory) else {
            throw TemplateError.noFolder(directory)
        }
        var sources: [String: TemplateSource] = [:]
        for case let path as String in paths where path.hasSuffix(ending) {
            let name = String(path.dropLast(ending.count))
            guard let bytes = FileManager.default.contents(atPath: "\(directory)/\(path)") else {
                throw TemplateError.unreadable(name)
            }
            sources[name] = TemplateSource(name: name, text: String(decoding: bytes, as: UTF8.self))
        }
        guard !sources.isEmpty else { throw TemplateError.noFolder(directory) }
        return sources
    }
}

/// A view with the token that its forms carry.
private struct Fragment: ViewFields {
    let view: any TemplateView
    let formToken: String

    func field(_ name: String) -> Any? { view.field(name) ?? (name == "formToken" ? formToken : nil) }
}
