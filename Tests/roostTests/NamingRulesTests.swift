import Foundation
import Testing

/// Rules for names: one meaning in all targets, files named after their types, and technical words.
@Suite struct NamingRulesTests {
    /// Words that only Roost's authors understood. The design's glossary has replacements.
    private static let privateWords: Set<String> = [
        "Book", "Haul", "House", "Kept", "Lane", "Lanes", "Rests", "Shelf", "Standing", "Talk", "Talker",
        "Teller", "Told", "Wish", "Wishes",
    ]

    /// Whole names that were replaced.
    private static let privateTypes: Set<String> = [
        "AccountBook", "AccountBookStore", "AccountParts", "AccountStores", "AgeText", "Answer", "Begun",
        "Bench", "BoardView", "BookmarkBaseline", "BookmarkBook", "BookmarkMove", "BookmarkRests",
        "BookmarkRows", "BookmarkShelf", "BookmarkWords", "Bulk", "Caller", "Choice", "ClaimedRepository",
        "CoinGeckoDoor", "DatabaseWatch", "Dice", "Done", "Drip", "Ended", "FailureCounts", "Figure",
        "Finds", "FrontDoor", "FrontView", "GitHubAccountBook", "GitHubCheckUp", "GitHubOrders",
        "GitHubPlace", "GitHubRegistry", "GitHubTalk", "GitHubTime", "Ground", "House", "ImportReports",
        "Imported", "InboxKnowledge", "InboxMaker", "ItemByItem", "JudgedPull", "KeyedTurns", "Lingering",
        "LinkBase", "Made", "MergeQuestions", "ModelTime", "Neighbours", "News", "OddCoins", "OwnCommits",
        "SystemThread", "PackedItem", "PageSizing", "PasswordGate", "PendingAnswer", "PictureShelf",
        "PriceBoard", "PriceFeed", "PriceTape", "PullAnswer", "PullDraft", "PullFacts", "PullFeed",
        "PullItem", "PullLists", "PullNode", "PullQuestion", "ReadmeCleaner", "ReadmeGround", "ReadmeRules",
        "ReadmeWriter", "ReadyReply", "RecentTries", "Refusal", "Reply", "ReplyMaker", "RepositoryAddress",
        "RepositoryDraft", "RepositoryFacts", "RepositoryFound", "RepositoryJobs", "RepositoryLists",
        "RepositoryModes", "RepositoryNodes", "RepositoryOrigin", "RepositoryPages", "RepositoryReader",
        "RepositoryTools", "RepositoryTrouble", "RepositoryWay", "RequestShares", "Retry", "RowBatch",
        "SectionRows", "SharedGitHub", "ShownOnce", "Site", "SlimScript", "SpoiledAnswer", "Surroundings",
        "Switchboard", "Tally", "Use", "Wait", "WaitText", "WakeUp", "WayBack",
    ]

    private static let privateScripts: Set<String> = [
        "ages", "beside", "chosen", "election", "later", "longlist", "poll", "poller", "pullskeys",
        "pullstell", "region", "rotation", "rowkeys", "vigil", "wall",
    ]

    private static let privateClasses: Set<String> = [
        "act", "acts", "away", "fresh", "front", "gauge", "head", "jot", "jotter", "keep", "lead", "mark",
        "modes", "quiet", "rail", "remark", "soft", "talk", "tally", "tell", "tongue", "unseen", "upset",
        "way",
        "ways", "who", "you",
    ]

    private struct Source {
        /// Relative to the package's folder.
        let path: String
        let text: String

        var target: Substring { path.split(separator: "/").dropFirst().first ?? "" }
        /// The file's name without folders and extension.
        var name: String { URL(filePath: path).deletingPathExtension().lastPathComponent }
        /// "String" for "String+Blank".
        var typeName: String { String(name.prefix { $0 != "+" }) }
        var lines: [Substring] { text.splitBytes(at: "\n") }
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardizedFileURL

    private static func sources(in folder: String, ending: String) throws -> [Source] {
        let url = root.appending(path: folder)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: url.path)
        return try paths.filter { $0.hasSuffix(ending) }.sorted().map {
            let text = try String(contentsOf: url.appending(path: $0), encoding: .utf8)
            return Source(path: "\(folder)/\($0)", text: text)
        }
    }

    private static func swiftFiles() throws -> [Source] { try sources(in: "Sources", ending: ".swift") }

    // Created once and matched only against likely lines: creating one for each line took minutes. Unsafe, as
    // Swift does not mark Regex as Sendable, but right: a regex with only value captures never changes after creation.
    nonisolated(unsafe) private static let declaration =
        #/^(?<space>\s*)(@\w+(\([^)]*\))?\s+)*((package|public|internal|private|fileprivate|final|indirect|nonisolated)\s+)*(struct|class|enum|protocol|actor|typealias)\s+(?<name>[A-Z]\w*)/#
    nonisolated(unsafe) private static let anExtension =
        #/^((package|public|internal|private|fileprivate)\s+)?extension\s+(?<name>[\w.]+)/#

    private static let firstWords: Set<Substring> = [
        "package", "public", "internal", "private", "fileprivate", "final", "indirect", "nonisolated",
        "struct", "class",
        "enum", "protocol", "actor", "typealias", "extension",
    ]

    private static func mayDeclare(_ line: Substring) -> Bool {
        let word = line.utf8.drop { $0 == UInt8(ascii: " ") }.prefix { $0 != UInt8(ascii: " ") }
        return word.first == UInt8(ascii: "@") || firstWords.contains(Substring(word))
    }

    /// Returns the type that a line declares, nested or not, or nil.
    private static func declared(in line: Substring) -> (name: String, isTopLevel: Bool)? {
        guard mayDeclare(line), let match = line.firstMatch(of: declaration) else { return nil }
        return (String(match.name), match.space.isEmpty)
    }

    /// Returns the names in an extension's line: two for "GitHubAPI.Response".
    private static func extended(in line: Substring) -> [String] {
        guard mayDeclare(line), let match = line.firstMatch(of: anExtension) else { return [] }
        return match.name.split(separator: ".").map(String.init)
    }

    /// Splits a name: "Pull", "Key" for "PullKey"; "REST", "Page" for "RESTPage".
    private static func words(of name: some StringProtocol) -> Set<String> {
        Set(String(name).matches(of: #/[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+/#).map { String($0.output) })
    }

    private static func isPlain(_ name: some StringProtocol) -> Bool {
        words(of: name).isDisjoint(with: privateWords) && !privateTypes.contains(String(name))
    }

    @Test func `a type's name has one meaning in all targets`() throws {
        var targets: [String: Set<Substring>] = [:]
        for source in try Self.swiftFiles() {
            for case (let name, true)? in source.lines.map(Self.declared) {
                targets[name, default: []].insert(source.target)
            }
        }
        #expect(!targets.isEmpty)
        for (name, places) in targets where places.count > 1 {
            Issue.record("\(name) is declared in \(places.sorted().joined(separator: " and "))")
        }
    }

    @Test func `a file is named after a type that it declares or extends`() throws {
        for source in try Self.swiftFiles() {
            let types = source.lines.compactMap { Self.declared(in: $0) }.filter(\.isTopLevel).map(\.name)
            let names = types + source.lines.flatMap(Self.extended)
            // A file that contains only C callbacks is named after them; a store extends a transaction.
            let isStore = source.name.hasSuffix("Store") && !Set(names).isDisjoint(with: ["Reads", "Writes"])
            #expect(names.isEmpty || isStore || names.contains(source.typeName), "\(source.path)")
        }
    }

    @Test func `types and files have technical names`() throws {
        let files = try Self.swiftFiles() + Self.sources(in: "Tests", ending: ".swift")
        for source in files {
            #expect(Self.isPlain(source.name), "\(source.path)")
            for line in source.lines {
                guard let (name, _) = Self.declared(in: line) else { continue }
                #expect(Self.isPlain(name), "\(source.path) declares \(name)")
            }
        }
        for template in try Self.sources(in: "Templates", ending: ".mustache") {
            #expect(Self.isPlain(template.name), "\(template.path)")
        }
    }

    @Test func `scripts have technical names`() throws {
        let scripts = try Self.sources(in: "Public/js", ending: ".js")
        #expect(!scripts.isEmpty)
        for script in scripts {
            #expect(!Self.privateScripts.contains(script.name), "\(script.path)")
        }
    }

    @Test func `style classes have technical names`() throws {
        for sheet in try Self.sources(in: "Public/css", ending: ".css") {
            let rules = sheet.text.replacing(#/(?s)\/\*.*?\*\//#, with: "")
            for rule in rules.matches(of: #/[^{};]*\{/#) {
                for name in rule.output.matches(of: #/\.(?<name>[a-z][\w-]*)/#) {
                    expectPlain(name.name, in: sheet)
                }
            }
        }
        for template in try Self.sources(in: "Templates", ending: ".mustache") {
            for attribute in template.text.matches(of: #/class="(?<names>[^"]*)"/#) {
                for name in attribute.names.replacing(#/\{\{[^}]*\}\}/#, with: " ").split(separator: " ") {
                    expectPlain(name, in: template)
                }
            }
        }
    }

    private func expectPlain(_ name: Substring, in source: Source) {
        let words = Set(name.split(separator: "-").map(String.init))
        #expect(words.isDisjoint(with: Self.privateClasses), "\(source.path): .\(name)")
    }

    @Test(arguments: [
        ("struct PullKey {", "PullKey", true), ("package final class Inbox: Sendable {", "Inbox", true),
        ("@Suite(.serialized) struct ATests {", "ATests", true), ("    private enum State {", "State", false),
        ("typealias Script = Int", "Script", true),
    ])
    func `a declaration is recognised`(line: String, name: String, isTopLevel: Bool) throws {
        let found = try #require(Self.declared(in: line[...]))
        #expect(found == (name, isTopLevel))
    }

    @Test(arguments: [
        ("PullHaul", false), ("AccountBookStore", false), ("Bookmark", true), ("RESTPage", true),
        ("PullServiceWishes", false), ("RestoredPage", true), ("Retry", false), ("RetryOutcome", true),
    ])
    func `a private word is found in a name, and only as a whole word`(name: String, isPlain: Bool) {
        #expect(Self.isPlain(name) == isPlain)
    }
}
