import Foundation
import Testing

@testable import GitHub
@testable import GitHubWeb

@Suite struct RepositoryJSONTests {
    private func object(_ item: RepositoryItem) throws -> [String: Any] {
        let data = try JSONEncoder().encode(RepositoryJSON(item))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test func `a repository has the model's names`() throws {
        let object = try object(RepositoryItem.samples[2])
        #expect(object["id"] as? String == "27" && object["nodeId"] as? String == "R_kgDO27")
        #expect(object["fullName"] as? String == "rubinius/rubinius" && object["fork"] as? Bool == true)
        #expect(object["htmlURL"] as? String == "https://github.com/rubinius/rubinius")
        let owner = try #require(object["owner"] as? [String: Any])
        #expect(owner["login"] as? String == "rubinius" && owner["type"] as? String == "Organization")
        let detail = try #require(object["detail"] as? [String: Any])
        #expect(detail["stars"] as? Int == 3_070 && detail["archived"] as? Bool == false)
        #expect(detail["pushedAt"] as? String == "2025-11-20T07:41:00Z")
        #expect(detail["parent"] as? String == "upstream/rubinius")
        #expect(object["fetchedAt"] as? String == "2025-11-20T09:31:00Z")
    }

    @Test func `a node id that an older server did not send is left out`() throws {
        let sample = RepositoryItem.samples[2].repository
        let repository = try Repository(
            id: sample.id, name: sample.name, fullName: sample.fullName, owner: sample.owner,
            fork: sample.fork, htmlURL: sample.htmlURL)
        let object = try object(RepositoryItem(repository: repository))
        #expect(object["fullName"] as? String == sample.fullName)
        #expect(object["nodeId"] == nil)
    }

    @Test func `unknown values are left out`() throws {
        let object = try object(RepositoryItem.samples[3])
        #expect(object["detail"] == nil && object["fetchedAt"] == nil)
        let last = try self.object(RepositoryItem.samples[4])
        #expect((last["detail"] as? [String: Any])?["language"] == nil)
    }
}
