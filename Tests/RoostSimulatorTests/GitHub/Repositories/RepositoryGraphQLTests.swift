import Foundation
import Testing

@testable import GitHub
@testable import RoostSimulator

@Suite struct RepositoryGraphQLTests {
    private let gitHub = TestGitHub()

    private func nodes(_ ids: [String], token: String? = nil) -> SimulatedResponse {
        gitHub.graphQL(RepositoryQuery.nodes, ["ids": ids], token: token)
    }

    @Test func `nodes agree with REST, and fifty cost one point`() throws {
        let some = gitHub.allRepositories.dropFirst(200).filter { !$0.isUnavailable }.prefix(50)
        let answer = nodes(some.map(\.nodeID))
        let data = try answer.object.object("data")
        let found = data.objects("nodes")
        #expect(found.count == 50 && data.object("rateLimit").number("cost") == 1)
        #expect(answer.header("X-RateLimit-Remaining") == "4999")
        for (one, node) in zip(some, found) {
            let rest = try gitHub.ask("/repositories/\(one.number)").object
            #expect(node.number("databaseId") == rest.number("id") && node.text("id") == one.nodeID)
            #expect(node.text("nameWithOwner") == rest.text("full_name"))
            #expect(node.number("stargazerCount") == rest.number("stargazers_count"))
            #expect(node.number("forkCount") == rest.number("forks_count"))
            let issues = node.object("issues").number("totalCount") ?? -1
            let pulls = node.object("pullRequests").number("totalCount") ?? -1
            #expect(issues + pulls == rest.number("open_issues_count"))
            #expect(node.object("primaryLanguage").text("name") == rest.text("language"))
            #expect(node.object("licenseInfo").text("spdxId") == rest.object("license").text("spdx_id"))
            let topics = node.object("repositoryTopics").objects("nodes").map {
                $0.object("topic").text("name")
            }
            #expect(topics == rest["topics"] as? [String])
            for (name, other) in [
                ("pushedAt", "pushed_at"), ("createdAt", "created_at"), ("homepageUrl", "homepage"),
                ("description", "description"), ("url", "html_url"), ("name", "name"),
            ] {
                #expect(node.text(name) == rest.text(other), "\(one.fullName) \(name)")
            }
            #expect(node["isFork"] as? Bool == one.isFork && node["isArchived"] as? Bool == one.isArchived)
            #expect(node.object("parent").text("nameWithOwner") == one.parent)
            #expect(node.object("owner").text("__typename") == rest.object("owner").text("type"))
            #expect(node.object("owner").text("login") == rest.object("owner").text("login"))
            #expect(
                node.object("defaultBranchRef").text("name")
                    == (one.isEmpty ? nil : rest.text("default_branch")))
        }
    }

    @Test func `both forms of ids are found, as REST writes them`() throws {
        let all = gitHub.allRepositories
        let old = try #require(all.first { $0.nodeID.hasPrefix("MDEwOlJlcG9zaXRvcnk") && !$0.isUnavailable })
        let new = try #require(all.first { $0.nodeID.hasPrefix("R_kgDO") && !$0.isUnavailable })
        let names = try nodes([old.nodeID, new.nodeID]).object.object("data").objects("nodes")
            .compactMap { $0.text("nameWithOwner") }
        #expect(names == [old.fullName, new.fullName])
    }

    @Test func `gone, private and unknown ids are null next to their errors, and the others are returned`()
        throws
    {
        gitHub.simulation.add(token: "ghp_public", login: "ada", scopes: ["read:org"])
        let unavailable = try #require(gitHub.allRepositories.first { $0.isUnavailable })
        let secret = try #require(gitHub.allRepositories.first { $0.isPrivate })
        let visible = try #require(gitHub.allRepositories.first { !$0.isUnavailable && !$0.isPrivate })
        let ids = [unavailable.nodeID, secret.nodeID, "R_nothing", visible.nodeID]
        let answer = try nodes(ids, token: "ghp_public").object
        let found = answer.object("data")["nodes"] as? [Any] ?? []
        #expect(found.map { $0 is NSNull } == [true, true, true, false])
        #expect(answer.objects("errors").map { $0.text("type") } == ["NOT_FOUND", "NOT_FOUND", "NOT_FOUND"])
        #expect(
            answer.objects("errors").map { $0["path"] as? [AnyHashable] } == (0..<3).map { ["nodes", $0] })
        let seen = try nodes(ids).object.object("data")["nodes"] as? [Any] ?? []
        #expect(seen.map { $0 is NSNull } == [true, false, true, false])
    }

    @Test func `more than a hundred ids are refused`() throws {
        let ids = gitHub.allRepositories.prefix(101).map(\.nodeID)
        #expect(
            try nodes(ids).object.objects("errors").first?.text("message")?.contains("100 node ids") == true)
    }
}
