import Foundation
import Testing

@testable import roost

@Suite struct LineOutputTests {
    @Test func `a file is created for its owner only, and appended to`() throws {
        let name = TestFiles.name()
        defer { TestFiles.remove(name) }
        for line in ["one", "two"] {
            let output = try #require(LineOutput(path: name))
            output.write(line)
            output.flush()
        }
        #expect(try TestFiles.text(name) == "one\ntwo\n")
        let mode = try FileManager.default.attributesOfItem(atPath: name)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `a file that cannot be opened is nil`() {
        #expect(LineOutput(path: "/no/such/folder/access.log") == nil)
    }

    @Test func `buffered lines wait for a flush, and a full buffer is written at once`() throws {
        let name = TestFiles.name()
        defer { TestFiles.remove(name) }
        let output = try #require(LineOutput(path: name))
        output.write("waits")
        #expect(try TestFiles.text(name) == "")
        output.flush()
        #expect(try TestFiles.text(name) == "waits\n")
        for _ in 0..<2_000 { output.write(String(repeating: "x", count: 60)) }
        #expect(try TestFiles.text(name).utf8.count > 64 * 1_024)
    }

    @Test func `unbuffered lines are written immediately`() throws {
        let pipe = Pipe()
        LineOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor).write("ready")
        #expect(pipe.fileHandleForReading.availableData == Data("ready\n".utf8))
    }

    @Test func `lines of concurrent writers never mix`() async throws {
        let name = TestFiles.name()
        defer { TestFiles.remove(name) }
        let output = try #require(LineOutput(path: name))
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for _ in 0..<500 { output.write(String(repeating: "\(writer)", count: 40)) }
                }
            }
        }
        output.flush()
        let lines = try TestFiles.text(name).split(separator: "\n")
        #expect(lines.count == 4_000)
        #expect(lines.allSatisfy { $0.count == 40 && Set($0).count == 1 })
    }

    @Test func `a full disk loses lines but stops nothing`() throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let output = LineOutput(descriptor: full.fileDescriptor)
        for _ in 0..<3 { output.write("lost") }
    }
}
