import Foundation
import Logging
import Testing

@testable import RoostSupport
@testable import roost

@Suite struct LineLogTests {
    @Test func `a text line has time, level, message and details in order`() throws {
        let lines = try logged(isJSON: false) { log in
            log.warning("Prices could not be fetched", metadata: ["why": "refused", "after": "3 s"])
        }
        let line = try #require(lines.first)
        #expect(line.wholeMatch(of: /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ warning .*/) != nil)
        #expect(line.hasSuffix(" warning Prices could not be fetched after=3 s why=refused"))
    }

    @Test func `text from others cannot start a new line`() throws {
        let lines = try logged(isJSON: false) { log in
            log.error("Half\n2025-01-01T00:00:00Z info forged", metadata: ["why": "\u{1B}[31mred\r\n"])
        }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("Half 2025-01-01T00:00:00Z info forged why= [31mred") == true)
    }

    @Test func `a JSON line is an object with the details next to the message`() throws {
        let lines = try logged(isJSON: true) { log in
            log.error("Half\na \"line\"", metadata: ["path": "/a/b"])
        }
        #expect(lines.count == 1)
        let object = try JSONDecoder().decode([String: String].self, from: Data(lines.joined().utf8))
        #expect(object["message"] == "Half\na \"line\"")
        #expect(object["level"] == "error")
        #expect(object["path"] == "/a/b")
        #expect(object["time"] != nil)
    }

    @Test func `the logger's own details are on every line, and an event's detail overrides them`() throws {
        let lines = try logged(isJSON: false) { log in
            log[metadataKey: "part"] = "prices"
            log.info("one")
            log.info("two", metadata: ["part": "coins"])
        }
        #expect(lines.map { $0.suffix(11) } == ["part=prices", " part=coins"])
    }

    @Test(arguments: [true, false])
    func `no line contains a secret that Roost knows, in the message, a detail or a name`(isJSON: Bool) throws
    {
        let secrets = SecretRedactor()
        let token = "ghp_theOperatorsOwn\"Token"
        secrets.note(token)
        let apiToken = "roost_" + RoostSupport.Secret.make(bytes: 32)
        let lines = try logged(isJSON: isJSON, secrets: secrets) { log in
            log[metadataKey: "part"] = "for \(token)"
            log.info("GitHub said \(token)", metadata: ["why": "x\(token)y \(apiToken)"])
        }
        let line = try #require(lines.first)
        #expect(!line.contains("theOperatorsOwn") && !line.contains(apiToken))
        #expect(line.contains("GitHub said …") && line.contains("x…y …") && line.contains("for …"))
    }

    @Test func `messages below the level are not written`() throws {
        let lines = try logged(isJSON: false, level: .warning) { log in
            log.info("quiet")
            log.warning("loud")
        }
        #expect(lines.count == 1)
    }

    @Test func `a changed style applies to loggers that exist already`() throws {
        let name = TestFiles.name()
        defer { TestFiles.remove(name) }
        let output = try #require(LineOutput(path: name))
        let style = LogStyle(level: .warning, format: .text)
        let log = Logger(label: "test") { _ in LineLog(style, output: output) }
        log.info("one")
        style.change(level: .info, format: .json)
        log.info("two")
        style.change(level: .info, format: .journal)
        log.error("three\nlines")
        output.flush()
        let lines = try TestFiles.text(name).split(separator: "\n").map(String.init)
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix(#"{"level":"info","message":"two","time":"#) == true)
        #expect(lines.last == "<3>error three lines")
    }

    @Test func `a logger's own level overrides the style's`() throws {
        let name = TestFiles.name()
        defer { TestFiles.remove(name) }
        let output = try #require(LineOutput(path: name))
        let style = LogStyle(level: .info, format: .text)
        var log = Logger(label: "test") { _ in LineLog(style, output: output) }
        log.logLevel = .error
        style.change(level: .debug, format: .text)
        log.warning("one")
        log.error("two")
        output.flush()
        #expect(try TestFiles.text(name).hasSuffix(" error two\n"))
        #expect(try TestFiles.text(name).contains("one") == false)
    }

    @Test func `an announcement is written as it is, and as an object in a JSON log`() throws {
        #expect(LogStyle(format: .text).announcement("Ready at http://a/") == "Ready at http://a/")
        #expect(LogStyle(format: .journal).announcement("Ready") == "<5>Ready")
        let line = LogStyle(format: .json).announcement("Ready at http://a/")
        let object = try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
        #expect(object["level"] == "notice" && object["message"] == "Ready at http://a/")
        #expect(line.contains("http://a/"))
    }

    private func logged(
        isJSON: Bool, level: Logger.Level = .info, secrets: SecretRedactor = SecretRedactor(),
        _ work: (inout Logger) -> Void
    ) throws -> [String] {
        let name = TestFiles.name()
        defer { TestFiles.remove(name) }
        let output = try #require(LineOutput(path: name))
        var log = Logger(label: "test") { _ in
            LineLog(
                LogStyle(level: level, format: isJSON ? .json : .text), output: output, secrets: secrets)
        }
        work(&log)
        output.flush()
        return try TestFiles.text(name).split(separator: "\n").map(String.init)
    }
}
