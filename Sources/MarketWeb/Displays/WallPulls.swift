package import Foundation
import Market
package import RoostSupport
import RoostWeb
import TextFormats

/// The team's waiting pull requests, which walls can show next to prices. Another feature has them.
package protocol WallPulls: Sendable {
    /// Published when the list may have changed.
    var topic: String { get }
    /// Returns only what its owners allow on walls.
    func list(_ reads: Reads) throws -> WallPullList
    /// Keeps the list up to date while a wall shows it.
    func watch() async throws
}

package struct WallPullList: Sendable {
    package struct Pull: Sendable {
        package enum Pressure: String, Sendable { case calm, amber, red }

        let name, title, author: String
        let people: [String]
        let waitingSince: Date
        let pressure: Pressure

        /// - Parameters:
        ///   - name: "owner/repository#7"
        ///   - people: those for whom it waits
        package init(
            name: String, title: String, author: String, people: [String], waitingSince: Date,
            pressure: Pressure
        ) {
            self.name = name
            self.title = title
            self.author = author
            self.people = people
            self.waitingSince = waitingSince
            self.pressure = pressure
        }

        /// "ada, grace and kurt", or nil if it waits for no one in particular.
        var peopleText: String? {
            guard let last = people.last else { return nil }
            return people.count == 1 ? last : people.dropLast().joined(separator: ", ") + " and " + last
        }
    }

    /// Longest wait first.
    let pulls: [Pull]
    let updatedAt: Date?
    /// Why the list is old, as a sentence.
    let problem: String?
    /// False if no one allows walls to show theirs.
    let isAllowed: Bool

    package init(pulls: [Pull], updatedAt: Date?, problem: String? = nil, isAllowed: Bool = true) {
        self.pulls = pulls
        self.updatedAt = updatedAt
        self.problem = problem
        self.isAllowed = isAllowed
    }
}

extension WallPullList {
    /// The pull requests that began to wait since then, newest first, for the page of changes.
    func changes(since: Date) -> [TodayLine] {
        pulls.filter { $0.waitingSince > since }.sorted { $0.waitingSince > $1.waitingSince }
            .prefix(TodayLine.limit).map { pull in
                let people = pull.peopleText.map { " for \($0)" } ?? ""
                return TodayLine(
                    pull.title, from: "Pull requests", at: "/pulls", summary: "\(pull.name) waits\(people)")
            }
    }

    func freshness(at now: Date) -> FreshnessView {
        let state: FreshnessView.State =
            !isAllowed ? .idle : problem != nil ? .stale : updatedAt == nil ? .loading : .live
        return FreshnessView(state: state, updatedAt: updatedAt, reason: problem, source: "GitHub", now: now)
    }

    /// Says why a screen that shows only pull requests shows none.
    var emptyText: String {
        if !isAllowed {
            return "No one allows pull requests on walls yet. Each user can allow theirs under "
                + "Pull requests, Sections."
        }
        return updatedAt == nil ? "Loading from GitHub…" : "No pull request is waiting."
    }
}

struct WallPullRow: Sendable {
    let pull: WallPullList.Pull
    let now: Date

    var since: String { ISO8601.seconds(pull.waitingSince) }
    var people: String? { pull.peopleText }
    /// "12 min", "5 h" or "9 days": the same text as wall-ages.js; change both.
    var waited: String {
        let seconds = max(0, Int(now.timeIntervalSince(CivilDate.bounded(pull.waitingSince))))
        return switch seconds {
        case ..<3_600: "\(seconds / 60) min"
        case ..<86_400: "\(seconds / 3_600) h"
        default: seconds < 172_800 ? "1 day" : "\(seconds / 86_400) days"
        }
    }
}

/// Something that changed since yesterday.
struct WallChangeRow: Sendable {
    let line: TodayLine

    init(_ line: TodayLine) { self.line = line }

    var text: String { line.text }
    var facts: String { [line.source, line.summary].compactMap(\.self).joined(separator: " · ") }
    /// Unique on the screen, for updates in place.
    var key: String { "change-\(line.source) \(line.address) \(text)" }
}

/// "14 waiting pull requests", and how old the list is.
struct WallHeading: Sendable {
    let text: String
    private let updatedAt: Date?
    let problem: String?
    private let now: Date

    init(_ text: String, updatedAt: Date? = nil, problem: String? = nil, now: Date) {
        self.text = text
        self.updatedAt = updatedAt
        self.problem = problem
        self.now = now
    }

    var updated: String? { updatedAt.map(ISO8601.seconds) }
    var updatedAgo: String { updatedAt.map { RelativeTime.ago($0, now: now) } ?? "" }
}
