import Foundation
import Testing

@testable import RoostWeb
@testable import roost

extension ComponentsView {
    static let sample = ComponentsView(layout: .settingsSample, isOwner: true)
}

@Suite struct ComponentsTests {
    @Test func `only the demo has the page of components`() async throws {
        try await TestServer.with { testServer in
            let page = try await testServer.send("GET", ComponentsFeature.path)
            #expect(page.status == 404)
            let settings = try await testServer.send("GET", "/settings").text
            #expect(settings.contains("/settings/home") && !settings.contains(ComponentsFeature.path))
        }
    }

    @Test func `it shows every drawn icon`() throws {
        let others: Set = ["roost", "favicon", "favicon-unread", "maskable"]
        let files = try SiteFiles.texts(in: "Public/icons", ending: ".svg")
        let drawings = Set(files.map { String($0.path.dropLast(".svg".count)) }).subtracting(others)
        #expect(Set(ComponentsView.drawings) == drawings)
        let sprite = try #require(files.first { $0.path == "roost.svg" }).text
        let symbols = sprite.matches(of: /<symbol id="([\w-]+)"/).map { String($0.1) }
        #expect(Set(ComponentsView.symbols) == Set(symbols))
    }

    @Test func `its fields have errors, hints and limits of every kind`() {
        let text = Samples.texts["ComponentsView"] ?? ""
        #expect(text.contains("id=\"sample-email-error\""))
        #expect(text.contains("id=\"sample-name-hint\""))
        #expect(text.contains("min=\"1\" max=\"720\""))
        #expect(text.components(separatedBy: "class=\"avatar tone-").count > 10)
    }
}
