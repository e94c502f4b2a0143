import Foundation

/// The answers that each server gives: the bytes of the files in its arguments, at `/0`, `/1` and so on.
public enum SameBytes {
    /// Sent with each answer, besides `Date` and `Content-Length`. A type that no server compresses, so none adds `Vary`.
    public static let headers = [
        ("Content-Type", "application/octet-stream"), ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
    ]

    /// The threads that answer, for servers that can be told.
    public static let threads = 2

    /// Reads the files in the program's arguments.
    public static func bodies() throws -> [Data] {
        try CommandLine.arguments.dropFirst().map { try Data(contentsOf: URL(filePath: $0)) }
    }

    /// Prints the address, which `run` waits for.
    public static func announce(port: Int) {
        print("http://127.0.0.1:\(port)")
        fflush(nil)
    }

    /// Waits until `run` ends the program.
    public static func serve() async throws {
        while true { try await Task.sleep(for: .seconds(3_600)) }
    }
}
