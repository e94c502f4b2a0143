import Foundation
import Testing

/// The design's arrows between the folders of a target: features, upstreams, shared parts, `Support` or `Web`; never
/// back.
///
/// An arrow is a file that names a top-level type which is declared in exactly one other folder.
@Suite struct FolderArrowTests {
    /// What the folders of one target may use.
    private struct Design {
        /// From the lowest to the highest; a folder may use all layers below its own. What is named in no layer is a
        /// feature: the highest.
        let layers: [Set<String>]
        /// Uses within a layer, where the product itself joins the two.
        let within: Set<String>
        /// The files at the target's root, which know all folders.
        let root: Set<String>

        func allows(_ user: String, _ used: String) -> Bool {
            layer(of: used) < layer(of: user) || within.contains("\(user) -> \(used)")
        }

        private func layer(of folder: String) -> Int {
            layers.firstIndex { $0.contains(folder) } ?? layers.count
        }
    }

    private static let designs = [
        "RoostWeb": Design(
            layers: [["Web"]],
            within: ["Bookmarks -> Repositories", "Coins -> Watchlist", "Displays -> Watchlist"],
            root: ["Features.swift", "WebServer.swift"])
    ]

    /// One target's folders: what each of their files declares and names.
    private struct Target {
        private(set) var words: [(folder: String, path: String, words: Set<String>)] = []
        private(set) var folders: [String: Set<String>] = [:]
        private(set) var root: Set<String> = []

        init(_ name: String) throws {
            let home = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../Sources/\(name)").standardizedFileURL.path
            for path in try FileManager.default.subpathsOfDirectory(atPath: home)
            where path.hasSuffix(".swift") {
                guard let slash = path.firstIndex(of: "/") else {
                    root.insert(path)
                    continue
                }
                let folder = String(path[..<slash])
                let text = Source.code(try String(contentsOfFile: "\(home)/\(path)", encoding: .utf8))
                words.append((folder, path, Source.words(in: text)))
                for type in Source.declarations(in: text) { folders[type, default: []].insert(folder) }
            }
        }

        /// Every use of another folder's type.
        var arrows: [(user: String, used: String, type: String, path: String)] {
            words.flatMap { file in
                file.words.compactMap { word in
                    guard let homes = folders[word], homes.count == 1, let home = homes.first,
                        home != file.folder
                    else { return nil }
                    return (file.folder, home, word, file.path)
                }
            }
        }
    }

    /// Swift source as far as these tests read it.
    private enum Source {
        /// The text without comments and literals, but with what literals interpolate.
        static func code(_ text: String) -> String {
            let plain = text.replacing(#/(?s)""".*?"""/#, with: "\"\"").replacing(#///[^\n]*/#, with: "")
            return plain.replacing(#/"(?:\\\(.*?\)|\\.|[^"\\\n])*"/#) { literal in
                literal.output.matches(of: #/\\\((.*?)\)/#).map { String($0.output.1) }.joined(separator: " ")
            }
        }

        static func words(in code: String) -> Set<String> {
            Set(code.matches(of: #/\b[A-Z]\w*/#).map { String($0.output) })
        }

        static func declarations(in code: String) -> [String] {
            let form =
                #/^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:package|internal|final|indirect|nonisolated)\s+)*(?:struct|class|enum|actor|protocol|typealias)\s+([A-Z]\w*)/#
            return code.matches(of: form.anchorsMatchLineEndings()).map { String($0.output.1) }
        }
    }

    @Test(arguments: designs.keys.sorted())
    func `no folder uses a folder above it`(_ name: String) throws {
        let design = try #require(Self.designs[name])
        for arrow in try Target(name).arrows {
            let isAllowed = design.allows(arrow.user, arrow.used)
            #expect(isAllowed, "\(name)/\(arrow.path) uses \(arrow.used)'s \(arrow.type)")
        }
    }

    @Test(arguments: designs.keys.sorted())
    func `only what joins the folders is at a target's root`(_ name: String) throws {
        #expect(try Target(name).root == Self.designs[name]?.root)
    }

    @Test(arguments: designs.keys.sorted())
    func `no two folders declare a type of the same name`(_ name: String) throws {
        let twice = try Target(name).folders.filter { $0.value.count > 1 }
        #expect(twice.isEmpty, "\(twice)")
    }

    @Test func `an arrow is found in code, and not in comments and literals`() {
        let text = "/// Coin\nlet a = \"Coin \\(Price(1))\" // Coin\nfinal class Wall {}\n    struct Inner {}"
        let code = Source.code(text)
        #expect(Source.words(in: code).isDisjoint(with: ["Coin"]))
        #expect(Source.words(in: code).isSuperset(of: ["Price", "Wall"]))
        #expect(Source.declarations(in: code) == ["Wall"])
    }
}
