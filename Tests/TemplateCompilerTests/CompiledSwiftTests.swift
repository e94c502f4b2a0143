import Foundation
import Testing

/// The Swift generated from templates is checked with swiftc.
@Suite struct CompiledSwiftTests {
    private static let types = """
        struct TemplateContext { let token: String? }
        class Content {
            let title = ""
            let count: Int? = nil
            let isOpen: Bool? = nil
            let rows: [Row] = []
        }
        struct Row { let name: String }

        """

    /// Templates, each with one mistake.
    private static let mistakes = [
        (
            "<h1>\n    <b>Some words before {{titel}}</b>",
            "3:28: error: value of type 'View0' has no member 'titel'"
        ),
        (
            "{{#rows}}\n<p class=\"a-row\">{{>hall/part}}{{#rows}}</p>{{/rows}}\n{{/rows}}",
            "3:35: error: value of type 'Row' has no member 'rows'"
        ),
        (
            "<input name=\"t\" value=\"{{@tokn}}\">",
            "2:27: error: value of type 'TemplateContext' has no member 'tokn'"
        ),
        ("<p>\n\n{{>hall/part}}", "4:"),
        ("<p>\n\n{{{title}}}", "4:"),
        ("\n{{rows}}", "3:"),
        ("{{#title}}x{{/title}}", "2:"),
        ("{{#isOpen}}x{{/isOpen}}", "2:"),
        ("{{^isOpen}}x{{/isOpen}}", "2:"),
    ]

    @Test func `a template without mistakes compiles`() throws {
        let template = """
            {{! view View }}
            <h1>{{title}}</h1>
            {{#rows}}{{name}} of {{self.title}}{{>hall/part}}{{/rows}}
            {{#count}}{{.}}{{/count}}{{#@token}}{{.}}{{/@token}}
            """
        #expect(try errors(of: ["hall/View": template]) == [])
    }

    @Test
    func `swiftc reports a wrong name at its line in the template, and at its column if possible`()
        throws
    {
        var templates: [String: String] = [:]
        for (number, (text, _)) in Self.mistakes.enumerated() {
            templates["hall/View\(number)"] =
                "{{! view View\(number) }}\n\(text)\n{{#rows}}{{>hall/part}}{{/rows}}"
        }
        let errors = try errors(of: templates)
        for (number, (_, expected)) in Self.mistakes.enumerated() {
            let place = "Templates/hall/View\(number).mustache:\(expected)"
            #expect(errors.contains { $0.hasPrefix(place) }, "\(place) in \(errors.joined(separator: "\n"))")
        }
        #expect(errors.allSatisfy { $0.hasPrefix("Templates/hall/View") })
    }

    /// The swiftc errors for these templates and their views.
    private func errors(of templates: [String: String]) throws -> [String] {
        let compiled = Compiled(templates.merging(["hall/part": "{{! part Row }}\n{{name}}"]) { $1 })
        #expect(compiled.errors == [])
        let folder = NSTemporaryDirectory() + "compiled-templates-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let views = templates.keys.map { "final class \($0.dropFirst(5)): Content {}\n" }.joined()
        var files = try Self.library()
        for (name, text) in compiled.sources.merging(
            ["Views.swift": Self.types + views], uniquingKeysWith: { $1 })
        {
            try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
            files.append("\(folder)/\(name)")
        }
        return try Self.swiftc(files).split(separator: "\n").map(String.init).filter {
            !$0.contains("ignoring import")
        }
        .filter { $0.contains(": error: ") || $0.contains(": warning: ") }
    }

    private static func swiftc(_ files: [String]) throws -> String {
        let swiftc = Process()
        swiftc.executableURL = URL(filePath: "/usr/bin/env")
        // The library's own module name, which the generated Swift imports.
        swiftc.arguments =
            [
                "swiftc", "-typecheck", "-wmo", "-swift-version", "6", "-package-name", "tests",
                "-module-name", "HTMLTemplates",
            ]
            + ["-parse-as-library"] + files
        let output = Pipe()
        swiftc.standardError = output
        swiftc.standardOutput = output
        try swiftc.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        swiftc.waitUntilExit()
        return String(decoding: text, as: UTF8.self)
    }

    /// The runtime library's sources.
    private static func library() throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = root.appending(path: "Sources/HTMLTemplates").path(percentEncoded: false)
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
            .map { "\(folder)/\($0)" }
    }
}
