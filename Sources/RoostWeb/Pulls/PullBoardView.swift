package import Foundation
package import RoostServices

/// `/pulls/rows`: all of the inbox that keeps itself up to date.
package struct PullBoardView: TemplateView {
    package static let template = "pulls/board"

    package let lists: String
    package let back: String
    package let formToken: String?
    private let sources: [Part]
    private let isConnected: Bool

    /// - Parameters:
    ///   - lists: `PullListsView` as text
    ///   - back: the address's query, for acts to come back to
    ///   - formToken: as in `LayoutView`; the fragment is rendered without one around it
    package init(
        sources: [InboxSource], lists: String, back: String = "", now: Date, formToken: String? = nil
    ) {
        self.lists = lists
        self.back = back
        self.formToken = formToken
        isConnected = !sources.isEmpty
        self.sources = sources.map {
            Part(PullSourceView($0, isOnly: sources.count == 1, now: now))
        }
    }

    package func field(_ name: String) -> Any? {
        switch name {
        case "sources": sources
        case "isConnected": isConnected
        case "rendered": lists
        case "back": back
        case "formToken": formToken
        default: nil
        }
    }
}
