import Foundation
import Testing

@testable import RoostWeb

private let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Public/js").standardizedFileURL

@Suite struct `Slim scripts` {
    @Test func `comments, empty lines and indentation are removed`() {
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
        #expect(CommentStripper.stripped(script) == "class List {start() {go(1);}\n}\n")
    }

    @Test(arguments: [
        "const a = \"x // y\";", "const b = `// ${c}`;", "const d = \"http://host\"; // it's one;",
    ])
    func `a string is never mistaken for a comment`(line: String) {
        #expect(CommentStripper.stripped("    \(line)\n    go();") == "\(line)\ngo();")
    }

    @Test func `no script has a multi-line string, whose indentation would be lost`() throws {
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
