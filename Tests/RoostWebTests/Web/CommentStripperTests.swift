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

    @Test func `comments and indentation of styles are removed`() {
        let style = """
            /* What it is,
               in two lines. */
            @media print {
                a,
                b { content: "/* no comment */"; }
            }
            """
        #expect(
            CommentStripper.stripped(style)
                == "@media print {a,b { content: \"/* no comment */\"; }\n}\n")
    }

    @Test func `no comment of a style is on a line with a rule`() throws {
        for (path, text) in try SiteFiles.texts(in: "Public/css", ending: ".css") {
            for line in text.split(separator: "\n") where line.contains("/*") || line.contains("*/") {
                let comment = line.drop { $0 == " " }
                #expect(!line.contains("/*") || comment.hasPrefix("/*"), "\(path): \(line)")
                #expect(!line.contains("*/") || line.hasSuffix("*/"), "\(path): \(line)")
            }
        }
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
