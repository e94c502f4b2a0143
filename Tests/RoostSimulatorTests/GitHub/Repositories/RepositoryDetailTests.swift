import Foundation
import Testing

@testable import RoostSimulator

@Suite struct RepositoryDetailTests {
    private let gitHub = TestGitHub()

    private func detail(_ fullName: String, as login: String? = nil) throws -> [String: Any] {
        try gitHub.ask("/repos/\(fullName)", as: login).object
    }

    @Test func `a detail has the fields that a list leaves out, by name in any case and by number`() throws {
        gitHub.simulation.setRemaining(5_000, of: "core", to: "ada")
        for one in gitHub.allRepositories.dropFirst(100).prefix(50) where !one.isUnavailable {
            let detail = try detail(one.fullName.uppercased(), as: "ada")
            #expect(detail.text("full_name") == one.fullName && detail.number("id") == Double(one.number))
            #expect(detail.number("stargazers_count") == Double(one.stars))
            #expect(detail.text("language") == one.language && detail.text("node_id") == one.nodeID)
            #expect(detail["archived"] as? Bool == one.isArchived && detail["fork"] as? Bool == one.isFork)
            #expect(
                detail.object("owner").text("type") == (one.owner.isOrganisation ? "Organization" : "User"))
            #expect(detail.text("created_at")?.hasSuffix("Z") == true && detail["topics"] is [String])
            #expect((detail.text("pushed_at") == nil) == one.isEmpty)
            #expect(detail.text("visibility") == "public" && detail.text("default_branch") != nil)
            #expect(detail.object("parent").text("full_name") == one.parent)
            let byNumber = gitHub.ask("/repositories/\(one.number)")
            #expect(byNumber.body == gitHub.ask("/repos/\(one.fullName)").body)
        }
    }

    @Test func `no time is ahead of now`() throws {
        let now = "2026-02-17T15:56:31Z"
        for one in gitHub.allRepositories.suffix(400) where !one.isUnavailable {
            let detail = try detail(one.fullName, as: "ada")
            let times = ["created_at", "updated_at", "pushed_at"].compactMap { detail.text($0) }
            #expect(times.allSatisfy { $0 <= now }, "\(one.fullName) \(times)")
            #expect(times.count < 3 || times[0] <= times[2])
        }
    }

    @Test func `a former name leads to the number, for its README too`() throws {
        let one = try #require(gitHub.allRepositories.first { $0.formerName != nil && !$0.isUnavailable })
        let old = try #require(one.formerName)
        let answer = gitHub.ask("/repos/\(old)", as: nil)
        #expect(answer.status == 301)
        #expect(answer.header("Location") == "http://github.test/api/v3/repositories/\(one.number)")
        #expect(try answer.object.text("url") == answer.header("Location"))
        #expect(
            gitHub.ask("/repos/\(old)/readme", as: nil).header("Location")
                == "http://github.test/api/v3/repositories/\(one.number)/readme")
        #expect(try gitHub.ask("/repositories/\(one.number)").object.text("full_name") == one.fullName)
    }

    @Test func `a repository that is gone stays in the list and is not found`() throws {
        let unavailable = try #require(gitHub.allRepositories.first { $0.isUnavailable })
        let page = try gitHub.ask("/repositories?since=\(unavailable.number - 1)").items
        #expect(page.first?.text("full_name") == unavailable.fullName)
        #expect(gitHub.ask("/repos/\(unavailable.fullName)").status == 404)
        #expect(gitHub.ask("/repositories/\(unavailable.number)").status == 404)
        #expect(gitHub.ask("/repos/nobody/nothing").status == 404)
        #expect(gitHub.ask("/repositories/x").status == 404)
    }

    @Test func `a private repository is returned only to a token with access`() throws {
        let secret = try #require(gitHub.allRepositories.first { $0.isPrivate })
        gitHub.simulation.add(token: "ghp_public", login: "ada", scopes: ["read:org"])
        #expect(gitHub.ask("/repos/\(secret.fullName)", as: nil).status == 404)
        #expect(gitHub.ask("/repos/\(secret.fullName)", token: "ghp_public").status == 404)
        let seen = try detail(secret.fullName, as: "ada")
        #expect(seen["private"] as? Bool == true && seen.text("visibility") == "private")
    }

    @Test func `an unchanged detail is answered 304`() throws {
        let etag = try #require(gitHub.ask("/repos/grace/nanoseconds").header("ETag"))
        #expect(gitHub.ask("/repos/grace/nanoseconds", ifNoneMatch: etag).status == 304)
        #expect(gitHub.ask("/repos/grace/dotfiles", ifNoneMatch: etag).status == 200)
    }
}
