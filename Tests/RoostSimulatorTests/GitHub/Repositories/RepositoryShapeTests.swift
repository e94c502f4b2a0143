import Foundation
import Testing

@testable import RoostSimulator

/// Compares the simulated answers with the recorded ones, and checks intended oddities.
@Suite struct RepositoryShapeTests {
    private let gitHub = TestGitHub()

    private func recorded(_ path: String) throws -> RawJSON? {
        let file = URL(fileURLWithPath: "\(SharedRecordings.directory)/github/hub4j/\(path)")
        return RawJSON(Array(try Data(contentsOf: file))[...])
    }

    private func names(_ json: RawJSON?) -> Set<String> { Set((json?.members ?? []).map(\.key)) }

    /// For git's own protocols, for the user who recorded, or never requested.
    private let unneeded: Set = [
        "git_url", "ssh_url", "temp_clone_token", "allow_squash_merge", "allow_merge_commit",
        "allow_rebase_merge", "delete_branch_on_merge", "permissions", "allow_auto_merge", "parent", "source",
        "organization", "security_and_analysis",
    ]

    @Test(.enabled(if: SharedRecordings.mustRun))
    func `a detail has the members of a recorded one`() throws {
        let real = try recorded("repo_detail_by_id/__files/3-repositories_40763577.json")
        let ours = RawJSON(gitHub.ask("/repos/grace/nanoseconds").body[...])
        #expect(names(real).subtracting(names(ours)).isSubset(of: unneeded))
        #expect(names(real).count > 60)
    }

    @Test(.enabled(if: SharedRecordings.mustRun))
    func `a search's item has the members of a recorded one`() throws {
        let path = "search_repositories_tetris/__files/2-search_repositories.json"
        let real = try recorded(path)?["items"]?.elements?.first
        let ours = RawJSON(gitHub.ask("/search/repositories?q=tetris").body[...])?["items"]?.elements?.first
        #expect(names(real).subtracting(names(ours)).isSubset(of: unneeded) && names(ours).contains("score"))
        #expect(names(real?["license"]) == ["key", "name", "spdx_id", "url", "node_id"])
    }

    @Test func `licences are found by their keys, and an unknown one is other`() throws {
        gitHub.simulation.setRemaining(5_000, of: "core", to: "ada")
        var seen: [String: String] = [:]
        for one in gitHub.allRepositories.prefix(200) where !one.isUnavailable {
            let licence = try gitHub.ask("/repos/\(one.fullName)").object.object("license")
            guard let key = licence.text("key"), let spdx = licence.text("spdx_id") else { continue }
            seen[key] = spdx
            #expect((licence.text("url") == nil) == (key == "other"))
        }
        #expect(seen["mit"] == "MIT" && seen["other"] == "NOASSERTION" && seen["apache-2.0"] == "Apache-2.0")
    }

    @Test func `homepages are missing, empty, bare, hostile and inside the network`() throws {
        gitHub.simulation.setRemaining(5_000, of: "core", to: "ada")
        var homepages: [String?] = []
        for one in gitHub.allRepositories.prefix(600) where !one.isUnavailable {
            homepages.append(try gitHub.ask("/repos/\(one.fullName)").object.text("homepage"))
        }
        let texts = homepages.compactMap { $0 }
        #expect(homepages.contains(nil) && texts.contains("") && texts.contains { $0.hasPrefix("https://") })
        #expect(texts.contains { $0.hasPrefix("javascript:") } && texts.contains { $0.contains("192.168.") })
        #expect(texts.contains { !$0.isEmpty && !$0.contains(":") })
    }

    @Test func `without a sort, matches in the name come before matches in the description`() throws {
        let items = try (1...6).flatMap { try gitHub.repositories("chess", "&per_page=100&page=\($0)") }
        let hasName = items.map { $0.text("name")?.lowercased().contains("chess") == true }
        let first = try #require(hasName.firstIndex(of: false))
        #expect(first > 0 && !hasName[first...].contains(true))
    }

    @Test func `an owner is the same everywhere, with a picture that exists`() throws {
        let owners = try gitHub.ask("/repositories?since=30000").items.map { $0.object("owner") }
        for owner in owners.prefix(5) {
            let address = try #require(owner.text("avatar_url")).replacing("http://github.test", with: "")
            let picture = gitHub.ask(address, as: nil)
            #expect(picture.header("Content-Type") == "image/png" && picture.body.starts(with: [0x89, 0x50]))
            #expect(gitHub.ask("/\(owner.text("login") ?? "")", as: nil).status == 200)
        }
        let numbers = Dictionary(grouping: owners, by: { $0.text("login") ?? "" })
        #expect(numbers.values.allSatisfy { Set($0.compactMap { $0.number("id") }).count == 1 })
    }
}
