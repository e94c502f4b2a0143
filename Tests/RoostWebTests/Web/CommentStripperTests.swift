import Foundation
import Testing

@testable import RoostWeb

/// Where the scripts are that browsers get.
private let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Public/js").standardizedFileURL

@Suite struct `Slim scripts` {
    @Test func `comments, empty lines and the blanks before a line go`() {
        let script = """
            /** What it is. */
            class List {
                /**
                 * In several lines: "quoted" too.
                 */
                start() {
                    // A reason.

                    go(1); // in milliseconds
                }
            }
            """
        #expect(CommentStripper.slim(script) == "class List {start() {go(1);}\n}\n")
    }

    @Test(arguments: [
        "const a = \"x // y\";", "const b = `// ${c}`;", "const d = \"http://host\"; // it's one;",
    ])
    func `a text is never taken for a remark`(line: String) {
        #expect(CommentStripper.slim("    \(line)\n    go();") == "\(line)\ngo();")
    }

    @Test func `no script has a text over several lines, whose blanks would go`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count > 10)
        for name in names {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            for line in text.split(separator: "\n") {
                #expect(line.count { $0 == "`" }.isMultiple(of: 2), "\(name): \(line)")
            }
        }
    }
}
