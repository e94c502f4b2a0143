import Foundation
import RoostWeb
import Testing

@Suite struct TemplatesTests {
    private struct Greeting: TemplateView {
        static let template = "hall/greeting"
        static let sample = Greeting(name: "Ada <Lovelace> & \"co\"")
        let name: String
        func field(_ field: String) -> Any? { field == "name" ? name : nil }
    }

    @Test func `a template of another folder is its parent, and names are escaped`() throws {
        let folder = try Folder([
            "site/frame": "<main>\n    {{$content}}nothing{{/content}}\n</main>\n",
            "hall/greeting":
                "{{<site/frame}}\n{{$content}}\n    {{>hall/name}}\n{{/content}}\n{{/site/frame}}\n",
            "hall/name": "<b>{{name}}</b>\n",
        ])
        let text = try Templates(directory: folder.path, views: [Greeting.self]).render(Greeting.sample)
        #expect(
            text.split(separator: "\n") == [
                "<main>", "<b>Ada &lt;Lovelace&gt; &amp; &quot;co&quot;</b>", "</main>",
            ])
    }

    @Test(arguments: HostileText.signs, HostileText.letters)
    func `a sign is escaped in a parent, a partial and a section, whatever it is joined to`(
        _ sign: String, _ letter: String
    ) throws {
        let folder = try Folder([
            "site/frame": "{{name}}|{{$content}}{{/content}}",
            "hall/greeting":
                "{{<site/frame}}{{$content}}{{#name}}{{.}}{{/name}}|{{>hall/name}}{{/content}}{{/site/frame}}",
            "hall/name": "{{name}}",
        ])
        let templates = try Templates(directory: folder.path, views: [Greeting.self])
        let entity = ["\"": "&quot;", "'": "&#39;", "<": "&lt;", ">": "&gt;", "&": "&amp;"][sign] ?? sign
        for mark in HostileText.marks {
            let text = templates.render(Greeting(name: "\(letter)\(sign)\(mark)"))
            let escaped = "\(letter)\(entity)\(mark)"
            #expect(Array(text.utf8) == Array("\(escaped)|\(escaped)|\(escaped)".utf8))
        }
    }

    @Test(arguments: [
        (["hall/other": "x"], TemplateError.missing("hall/greeting", wantedBy: "Greeting")),
        (["hall/greeting": "{{>hall/name}}"], .missing("hall/name", wantedBy: "hall/greeting")),
        (
            ["hall/greeting": "{{<site/frame}}{{/site/frame}}"],
            .missing("site/frame", wantedBy: "hall/greeting")
        ),
        (["hall/greeting": "x", "hall/old": "y"], .unused("hall/old")),
    ])
    func `what is missing or left over is named at start`(files: [String: String], error: TemplateError)
        throws
    {
        let folder = try Folder(files)
        #expect(throws: error) { try Templates(directory: folder.path, views: [Greeting.self]) }
    }

    @Test func `a broken template is named with its line`() throws {
        let folder = try Folder(["hall/greeting": "one\n{{#name}}\nthree {{/other}}\n"])
        let error = try #require(throws: TemplateError.self) {
            try Templates(directory: folder.path, views: [Greeting.self])
        }
        #expect("\(error)".hasPrefix("The template hall/greeting is broken in line 3"))
    }

    @Test func `a folder without templates is refused`() throws {
        #expect(throws: TemplateError.noFolder("/nowhere")) {
            try Templates(directory: "/nowhere", views: [])
        }
        let folder = try Folder([:])
        #expect(throws: TemplateError.noFolder(folder.path)) {
            try Templates(directory: folder.path, views: [])
        }
    }

    /// A temporary folder of templates.
    private final class Folder: Sendable {
        let path = NSTemporaryDirectory() + "roost-templates-" + UUID().uuidString

        init(_ files: [String: String]) throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            for (name, text) in files {
                let file = URL(filePath: path).appending(path: name + ".mustache")
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }
}
