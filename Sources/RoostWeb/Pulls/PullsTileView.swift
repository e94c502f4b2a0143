package import Foundation
package import RoostServices

/// `/pulls/tile`: what waits for the reader, in brief, on the home page.
package struct PullsTileView: TemplateView {
    package static let template = "pulls/tile"
    /// More rows than this are not shown.
    package static let limit = 5

    package let rows: [PullRow]
    package let waiting: Int
    private let rowParts: [Part]
    private let freshness: Part?
    private let trouble: String?
    private let knowledge: InboxKnowledge?

    /// - Parameters:
    ///   - rows: the first of those whose turn it is; at most `limit` are shown
    ///   - sources: the one that is worst off speaks for all; none: nothing is connected
    package init(rows: [PullRow], waiting: Int, sources: [InboxSource], now: Date) {
        self.rows = Array(rows.prefix(Self.limit))
        self.waiting = waiting
        rowParts = self.rows.map(Part.init)
        knowledge = sources.isEmpty ? nil : InboxKnowledge(sources)
        let worst =
            sources.first { $0.error != nil } ?? sources.first { $0.updatedAt == nil } ?? sources.first
        freshness = worst.map { Part(FreshnessView($0, now: now)) }
        trouble = worst?.error?.message(source: "GitHub")
    }

    package func field(_ name: String) -> Any? {
        switch name {
        case "rows": rowParts
        case "hasRows": !rows.isEmpty
        case "total": waiting
        case "more": waiting > rows.count ? waiting - rows.count : nil
        case "freshness": freshness
        case "isConnected": freshness != nil
        case "isKnown": knowledge == .known
        case "isAsking": knowledge == .asking
        case "isSignedOut": knowledge == .signedOut
        case "tileTrouble": trouble
        default: nil
        }
    }
}
