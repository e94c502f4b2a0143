import Foundation
import RoostWeb
import Testing

/// No text that a view shows becomes markup, whatever letters and marks stand beside its signs.
@Suite struct EscapingTests {
    /// Fields that a template puts out as they are: made by Roost alone, of figures, constants and rendered rows.
    private static let raw: Set<String> = [
        "afterZeros", "assets", "changeText", "changeWords", "coinPath", "direction", "displayId", "figures",
        "full", "number", "plain", "points", "rendered", "sign", "unit", "zeros",
    ]

    /// A view with another text in each field that holds text, and in those of its parts.
    private struct Filled<View: TemplateView>: TemplateView {
        static var template: String { View.template }
        static var sample: Filled { Filled(view: View.sample, text: "plain") }
        let view: any ViewFields
        let text: String

        func field(_ name: String) -> Any? {
            let value = view.field(name)
            return EscapingTests.raw.contains(name) ? value : fill(value)
        }

        private func fill(_ value: Any?) -> Any? {
            switch value {
            case is String: text
            case let part as Part: Part(Filled(view: part.fields, text: text))
            case let list as [Any]: list.map { fill($0) ?? $0 }
            default: value
            }
        }
    }

    @Test(arguments: Templates.views.indices)
    func `hostile text in every field leaves a view's elements and attributes as they are`(_ index: Int)
        throws
    {
        try check(Templates.views[index])
    }

    private func check<View: TemplateView>(_ type: View.Type) throws {
        let plain = try Markup(Self.templates.render(Filled<View>.sample))
        let text = Self.templates.render(Filled<View>(view: View.sample, text: HostileText.all))
        #expect(try Markup(text) == plain)
    }

    @Test func `a field goes out raw only after a review`() throws {
        let folder = House.site.templatesFolder
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
            $0.hasSuffix(".mustache")
        }
        var found: Set<String> = []
        for name in names {
            let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            #expect(!text.utf8.contains("{{&".utf8), "\(name)")
            #expect(!text.utf8.contains("{{=".utf8), "\(name)")
            for match in text.matches(of: #/\{\{\{ *([^} ]+) *\}\}\}/#) { found.insert(String(match.1)) }
        }
        // The points of a line are a list: each is the dot.
        #expect(found.subtracting(["."]) == Self.raw.subtracting(["points"]))
    }

    private static let templates: Templates = {
        do {
            return try Templates(directory: House.site.templatesFolder)
        } catch {
            preconditionFailure("\(error)")
        }
    }()
}
