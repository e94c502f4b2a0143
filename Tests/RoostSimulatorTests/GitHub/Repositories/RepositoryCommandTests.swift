import Foundation
import Testing

@testable import RoostSimulator

@Suite struct RepositoryCommandTests {
    private let gitHub = TestGitHub()
    private let name = "grace/nanoseconds"

    private func detail(_ name: String, as login: String? = "ada") throws -> [String: Any] {
        try gitHub.ask("/repos/\(name)", as: login).object
    }

    @Test func `stars, archive and description change as ordered, and stay so`() throws {
        try gitHub.simulation.run(
            RepositoryCommand(name, archived: true, stars: 1_234, description: "It moved to a museum"))
        gitHub.clock.advance(seconds: 30 * 86_400)
        let detail = try detail(name)
        #expect(detail.number("stargazers_count") == 1_234 && detail["archived"] as? Bool == true)
        #expect(detail.text("description") == "It moved to a museum")
        #expect(try gitHub.repositories("repo:\(name) archived:true").count == 1)
    }

    @Test func `a renamed repository is found under its new name, and its old names lead to its number`()
        throws
    {
        let before = try detail(name)
        try gitHub.simulation.run(RepositoryCommand(name, rename: "picoseconds"))
        try gitHub.simulation.run(RepositoryCommand("grace/picoseconds", rename: "otherwise/femtoseconds"))
        let after = try detail("otherwise/femtoseconds")
        #expect(after.number("id") == before.number("id") && after.text("node_id") == before.text("node_id"))
        #expect(after.object("owner").text("login") == "otherwise" && after.text("name") == "femtoseconds")
        for old in [name, "grace/picoseconds"] {
            let answer = gitHub.ask("/repos/\(old)")
            #expect(answer.status == 301)
            #expect(
                answer.header("Location")?.hasSuffix("/repositories/\(Int(before.number("id") ?? 0))") == true
            )
        }
        let page = try gitHub.ask("/repositories?since=\(Int(before.number("id") ?? 0) - 1)").items
        #expect(page.first?.text("full_name") == "otherwise/femtoseconds")
        // And back: the old name is in use again.
        try gitHub.simulation.run(RepositoryCommand("otherwise/femtoseconds", rename: name))
        #expect(try detail(name).number("id") == before.number("id"))
        #expect(gitHub.ask("/repos/otherwise/femtoseconds").status == 301)
    }

    @Test func `a name in use is refused`() {
        for command in [
            RepositoryCommand(name, rename: "grace/dotfiles"), RepositoryCommand("nobody/nothing", stars: 1),
        ] {
            #expect(throws: GitHubSimulation.UnknownName.self) { try gitHub.simulation.run(command) }
        }
    }

    @Test func `a deleted repository is in no list, search or answer, and can come back`() throws {
        let number = Int(try detail(name).number("id") ?? 0)
        try gitHub.simulation.run(RepositoryCommand(name, delete: true))
        #expect(gitHub.ask("/repos/\(name)").status == 404)
        #expect(gitHub.ask("/repositories/\(number)").status == 404)
        #expect(gitHub.readme(name, "html").status == 404)
        let page = try gitHub.ask("/repositories?since=\(number - 1)").items
        #expect(page.first?.text("full_name") != name && page.count == 100)
        #expect(try !gitHub.repositories("user:grace").contains { $0.text("full_name") == name })
        try gitHub.simulation.run(RepositoryCommand(name, delete: false))
        #expect(try detail(name).number("id") == Double(number))
    }

    @Test func `a repository that turned private is visible to its readers only`() throws {
        let number = Int(try detail(name).number("id") ?? 0)
        try gitHub.simulation.run(RepositoryCommand(name, private: true, readers: ["ada"]))
        #expect(try detail(name)["private"] as? Bool == true)
        #expect(try detail(name).text("visibility") == "private")
        for login in ["alan", nil] {
            #expect(gitHub.ask("/repos/\(name)", as: login).status == 404)
            #expect(gitHub.ask("/repositories/\(number)/readme", as: login).status == 404)
            #expect(try gitHub.repositories("nanoseconds", as: login).isEmpty)
        }
        let page = try gitHub.ask("/repositories?since=\(number - 1)").items
        #expect(page.first?.text("full_name") != name)
    }

    @Test func `all orders are undone`() throws {
        let before = gitHub.ask("/repos/\(name)").body
        try gitHub.simulation.run(RepositoryCommand(name, rename: "x/y", archived: true, private: true))
        gitHub.simulation.restore()
        #expect(gitHub.ask("/repos/\(name)").body == before && gitHub.ask("/repos/x/y").status == 404)
    }
}
