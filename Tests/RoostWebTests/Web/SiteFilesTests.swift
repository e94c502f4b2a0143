import Foundation
import Testing

/// Rules for the source files of templates and scripts.
@Suite struct SiteFilesTests {
    @Test func `every view's sample is rendered, without remains of the template language`() throws {
        let views = try SiteFiles.texts(in: "Templates", ending: ".mustache").compactMap {
            $0.text.firstMatch(of: /^\{\{! view (\w+) \}\}/).map { String($0.1) }
        }
        #expect(views.count > 40 && Set(Samples.texts.keys) == Set(views))
        for (view, text) in Samples.texts {
            #expect(text.count > 100, "\(view)")
            #expect(!text.contains("{{") && !text.contains("Optional("), "\(view)")
        }
    }

    @Test func `only sanitised or template-made HTML is shown without escaping`() throws {
        for (path, text) in try SiteFiles.texts(in: "Templates", ending: ".mustache") {
            for match in text.matches(of: /\{\{\{(.*?)\}\}\}/) {
                #expect(match.1 == "markup", "\(path): \(match.1)")
            }
        }
        let trusted = try SiteFiles.texts(in: "Sources", ending: ".swift").flatMap { file in
            file.text.matches(of: /(\w+)(?:<.*?>)?\s*:[^{=\n]*\bTrustedHTML\b/).map { String($0.1) }
        }
        #expect(Set(trusted) == ["CleanMarkup", "RenderedView", "html"], "html: the buffer's parameter")
    }

    /// Escaped text is safe only between tags and in double quotes.
    @Test func `every inserted attribute value is in double quotes`() throws {
        for (path, text) in try SiteFiles.texts(in: "Templates", ending: ".mustache") {
            #expect(Self.unquoted(in: text) == [], "\(path)")
        }
        #expect(Self.unquoted(in: "<a b={{c}} {{d}} {{#e}}f=\"{{.}}\"{{/e}}>{{g}}</a>") == ["c", "d"])
        #expect(Self.unquoted(in: "<a b='{{c}}'>") == ["'", "c", "'"])
    }

    /// Returns the variables inside a tag that are not in double quotes, and all single quotes there.
    private static func unquoted(in template: String) -> [String] {
        var found: [String] = []
        var (isInTag, isQuoted) = (false, false)
        var rest = template[...]
        while let first = rest.first {
            if rest.hasPrefix("{{"), let end = rest.firstRange(of: "}}") {
                let tag = rest[..<end.lowerBound].dropFirst(2)
                let isName = tag.first.map { !"#^/>!$<".contains($0) } ?? false
                if isName, isInTag, !isQuoted { found.append(String(tag)) }
                rest = rest[end.upperBound...]
                continue
            }
            rest = rest.dropFirst()
            switch first {
            case "<" where !isInTag:
                isInTag = rest.first.map { $0.isLetter || $0 == "/" || $0 == "!" } ?? false
            case ">" where !isQuoted: isInTag = false
            case "\"" where isInTag: isQuoted.toggle()
            case "'" where isInTag && !isQuoted: found.append("'")
            default: break
            }
        }
        return found
    }

    @Test func `no template has inline scripts or styles`() throws {
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

    @Test func `scripts are short, and insert text only as text`() throws {
        let scripts = try SiteFiles.texts(in: "Public/js", ending: ".js")
        #expect(scripts.count > 10)
        for (path, text) in scripts {
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 300, "\(path)")
            // Two allowed uses: the bookmarklet reads its page, and the screens' script opens a comment.
            let code = text.replacing("document.documentElement.outerHTML.slice(", with: "")
                .replacing("document.write(\"<!--\");", with: "")
            #expect(
                code.firstMatch(of: /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/) == nil,
                "\(path)")
            for match in text.matches(of: /from "(\.\/[a-z-]+\.js)"/) {
                #expect(scripts.contains { "./\($0.path)" == match.1 }, "\(path) imports \(match.1)")
            }
        }
    }
}
