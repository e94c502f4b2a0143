import Foundation
import RoostWeb
import Testing

/// Rules over the templates and scripts as they lie in the tree.
@Suite struct SiteFilesTests {
    @Test func `every view's sample is rendered, and nothing of the template language is left in it`() throws
    {
        let templates = try Templates(directory: SiteFiles.templates)
        for view in Templates.views {
            let text = render(view, with: templates)
            #expect(text.count > 100, "\(view)")
            #expect(!text.contains("{{") && !text.contains("Optional("), "\(view)")
        }
    }

    private func render<View: TemplateView>(_ view: View.Type, with templates: Templates) -> String {
        templates.render(view.sample)
    }

    @Test func `every name in a template is a field of a view, and every field is used`() throws {
        let used = try SiteFiles.texts(in: "Templates", ending: ".mustache")
            .reduce(into: Set<String>()) { names, file in
                for match in file.text.matches(of: /\{\{[{#^]?([A-Za-z.]+)\}?\}\}/) where match.1 != "." {
                    for name in match.1.split(separator: ".") { names.insert(String(name)) }
                }
            }
        let fields = try SiteFiles.texts(in: "Sources/RoostWeb", ending: ".swift")
            .filter { $0.text.contains("func field(") }
            .reduce(into: Set<String>()) { names, file in
                for match in file.text.matches(of: /case "([A-Za-z]+)":/) { names.insert(String(match.1)) }
            }
        #expect(used.count > 50)
        #expect(used.subtracting(fields) == [])
        #expect(fields.subtracting(used) == [])
    }

    @Test func `only figures are written without escaping`() throws {
        let plain: Set<String> = [
            "assets", "number", "full", "sign", "figures", "afterZeros", "plain", "unit", "zeros",
            "direction", "changeText", "changeWords", "coinPath", "displayId", ".",
            "rendered",  // by the template of a row, which escapes
        ]
        for (path, text) in try SiteFiles.texts(in: "Templates", ending: ".mustache") {
            for match in text.matches(of: /\{\{(?:\{|&)\s*([A-Za-z.]+)/) {
                #expect(plain.contains(String(match.1)), "\(path): \(match.1)")
            }
            for match in text.matches(of: /\{\{\{\.\}\}\}/) {
                #expect(text[..<match.range.lowerBound].hasSuffix("<polyline points=\""), "\(path)")
            }
        }
    }

    @Test func `no template needs a script or a style of its own`() throws {
        for (path, text) in try SiteFiles.texts(in: "Templates", ending: ".mustache") {
            #expect(
                text.firstMatch(of: /\sstyle=|\son[a-z]+=|<style|<script(?![^>]*\ssrc=)|javascript:/) == nil,
                "\(path)")
        }
    }

    @Test func `every form that changes something carries the token`() throws {
        for (path, text) in try SiteFiles.texts(in: "Templates", ending: ".mustache") {
            for form in text.split(separator: "<form").dropFirst()
            where form.prefix(200).contains("method=\"post\"") {
                #expect(
                    form.split(separator: "</form>").first?.contains("{{>site/token}}") == true, "\(path)")
            }
        }
    }

    @Test func `scripts are short, and put others' text in as text`() throws {
        let scripts = try SiteFiles.texts(in: "Public/js", ending: ".js")
        #expect(scripts.count > 10)
        for (path, text) in scripts {
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 151, "\(path)")
            #expect(
                text.firstMatch(of: /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/) == nil,
                "\(path)")
            for match in text.matches(of: /from "(\.\/[a-z]+\.js)"/) {
                #expect(scripts.contains { "./\($0.path)" == match.1 }, "\(path) imports \(match.1)")
            }
        }
    }
}
