import Foundation

/// A folder of recorded responses, including subfolders.
///
/// A `HEADERS.txt` in the same folder maps files to requests. Without one, file names do.
package struct Recordings: Sendable {
    let directory: String
    let files: [RecordedFile]

    /// - Throws: `RecordingsError` when the folder is missing or contains no responses.
    package init(directory: String) throws {
        self.directory = directory
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: directory, isDirectory: &isDirectory),
            isDirectory.boolValue
        else { throw RecordingsError.notAFolder(directory) }
        let paths = FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? []
        let headers = Self.headers(paths.filter { $0.hasSuffix("HEADERS.txt") }, in: directory)
        files = paths.sorted().compactMap { path in
            guard Self.isResponse(path) else { return nil }
            guard let data = FileManager.default.contents(atPath: "\(directory)/\(path)") else { return nil }
            return RecordedFile(path: path, bytes: Array(data), exchange: headers[path])
        }
        // HAR files contain GitHub responses, which are read separately.
        guard !files.isEmpty || paths.contains(where: { $0.hasSuffix(".har") }) else {
            throw RecordingsError.empty(directory)
        }
    }

    init(directory: String = "", files: [RecordedFile]) {
        self.directory = directory
        self.files = files
    }

    private static func isResponse(_ path: String) -> Bool {
        let isText = path.hasSuffix(".txt") && RecordedName(path: path).isError
        return (path.hasSuffix(".json") || isText) && !path.hasSuffix("HEADERS.txt")
    }

    private static func headers(_ paths: [String], in directory: String) -> [String: RecordedExchange] {
        var all: [String: RecordedExchange] = [:]
        for path in paths {
            guard let data = FileManager.default.contents(atPath: "\(directory)/\(path)") else { continue }
            let folder = path.dropLast("HEADERS.txt".count)
            for (name, exchange) in RecordedExchange.parse(String(decoding: data, as: UTF8.self)) {
                all[folder + name] = exchange
            }
        }
        return all
    }
}

/// One recorded body, and the request for it if known.
struct RecordedFile: Sendable {
    let path: String
    let bytes: [UInt8]
    let exchange: RecordedExchange?
}

enum RecordingsError: Error, Equatable, CustomStringConvertible {
    case notAFolder(String)
    case empty(String)
    case noCoinGecko(String)
    case noUpstream(String)

    var description: String {
        switch self {
        case .notAFolder(let path): "there is no folder of recordings at \(path)"
        case .empty(let path): "the folder \(path) holds no recorded answers (.json)"
        case .noCoinGecko(let path): "the folder \(path) holds no answers of CoinGecko"
        case .noUpstream(let path): "the folder \(path) holds no answers of CoinGecko or GitHub"
        }
    }
}

/// A request's path and decoded query in alphabetical order, for finding its recording.
struct RequestKey: Hashable, Sendable {
    let path: [String]
    let query: [String]

    init(_ request: SimulatedRequest) {
        path = request.path
        query = request.query.filter { !$0.name.hasPrefix("x_cg_") }.map { "\($0.name)=\($0.value)" }.sorted()
    }

    /// - Parameter target: path and query, or a full URL.
    init(target: String) {
        self.init(SimulatedRequest(address: target))
    }
}
