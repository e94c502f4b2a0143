import Foundation
import Logging

@testable import HTTPClient
@testable import RoostServices
@testable import RoostWeb
@testable import roost

/// The program's features, for views that are rendered without a server.
enum SampleFeatures {
    static let all: [any Feature] = {
        let folder = FileManager.default.temporaryDirectory.path + "/roost-features-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do {
            let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let services = try Services(
                Services.Configuration(dataFolder: folder), client: HTTPClient(userAgent: "Roost/test"),
                log: log)
            return Features.all(services, status: ServerStatus(services, WebServer.Options(), log: log))
        } catch {
            fatalError("The sample features have no services: \(error)")
        }
    }()
}
