import Foundation
import Testing

@testable import RoostSimulator

@Suite struct ReadmeTests {
    private let gitHub = TestGitHub()

    @Test func `as HTML it is a div around an article, in the requested media type`() {
        for accept in ["application/vnd.github.html", "application/vnd.github.v3.html+json"] {
            let answer = gitHub.ask("/repos/grace/nanoseconds/readme", accept: accept)
            #expect(answer.status == 200)
            #expect(answer.header("Content-Type") == "application/vnd.github.html; charset=utf-8")
            #expect(answer.header("ETag") != nil)
            #expect(answer.text.hasPrefix("<div id=\"readme\" class=\"md\" data-path=\"README.md\"><article"))
            #expect(answer.text.hasSuffix("</article></div>"))
        }
    }

    @Test func `it has everything that GitHub's Markdown supports`() {
        let text = gitHub.readme("grace/nanoseconds", "html", as: nil).text
        for fragment in [
            "id=\"user-content-installation\"", "href=\"#installation\"", "task-list-item-checkbox",
            "<table>", "highlight-source-", "<span class=\"pl-k\">", "<details><summary>",
            "/grace/nanoseconds/blob/main/LICENSE", "href=\"docs/README.md#more\"", "/camo/build/passing.svg",
            "src=\"/grace/nanoseconds/raw/main/docs/picture.png\"", "src=\"docs/relative.png\"", "<svg",
            "mailto:", "markdown-alert", "data-footnote-ref",
        ] {
            #expect(text.contains(fragment), "\(fragment)")
        }
    }

    @Test func `in JSON it is the file in base 64, and raw it is the file`() throws {
        let json = try gitHub.readme("grace/nanoseconds", nil).object
        #expect(json.text("type") == "file" && json.text("encoding") == "base64")
        let content = json.text("content")?.replacing("\n", with: "") ?? ""
        let raw = gitHub.readme("grace/nanoseconds", "raw")
        #expect(Data(base64Encoded: content) == Data(raw.body) && raw.text.hasPrefix("# nanoseconds"))
        #expect(json.number("size") == Double(raw.body.count))
        #expect(json.text("html_url") == "http://github.test/grace/nanoseconds/blob/main/README.md")
    }

    @Test func `an unchanged README is answered 304, and each form has its own ETag`() throws {
        let etag = try #require(gitHub.readme("grace/nanoseconds", "html").header("ETag"))
        let html = "application/vnd.github.html"
        #expect(gitHub.ask("/repos/grace/nanoseconds/readme", ifNoneMatch: etag, accept: html).status == 304)
        #expect(gitHub.ask("/repos/grace/nanoseconds/readme", ifNoneMatch: etag).status == 200)
        #expect(gitHub.ask("/repositories/61000/readme").status == 404)
    }

    @Test func `there are hostile, long, plain and right-to-left READMEs, and repositories without one`() {
        gitHub.simulation.setRemaining(5_000, of: "core", to: "ada")
        let answers = gitHub.allRepositories.prefix(300).filter { !$0.isUnavailable }.map {
            ($0, gitHub.readme($0.fullName, "html"))
        }
        let texts = answers.filter { $0.1.status == 200 }.map(\.1.text)
        #expect(texts.contains { $0.contains("onerror=\"alert(1)\"") && $0.contains("javascript:") })
        #expect(texts.contains { $0.utf8.count > 200_000 } && texts.contains { $0.utf8.count < 1_500 })
        #expect(
            texts.contains { $0.contains("class=\"plain\"") } && texts.contains { $0.contains("dir=\"rtl\"") }
        )
        let without = answers.filter { $0.1.status == 404 }
        #expect((10...80).contains(without.count))
        #expect(answers.filter { $0.0.isEmpty }.allSatisfy { $0.1.status == 404 })
    }

    @Test func `a description is plain text in every README that is not hostile`() {
        for one in gitHub.allRepositories.prefix(3_000) where one.description?.contains("<script>") == true {
            let text = gitHub.readme(one.fullName, "html").text
            guard text.contains("description"), !text.contains("owned") else { continue }
            #expect(!text.contains("<script>alert('description')"), "\(one.fullName)")
        }
    }
}
