import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import SameBytes

@main
struct HummingbirdServer {
    static func main() async throws {
        var fields = HTTPFields()
        for (name, value) in SameBytes.headers {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        let router = Router()
        for (index, body) in try SameBytes.bodies().enumerated() {
            let buffer = ByteBuffer(bytes: body)
            router.get("\(index)") { [fields] _, _ in
                Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: buffer))
            }
        }
        var logger = Logger(label: "Hummingbird")
        logger.logLevel = .error
        let threads = MultiThreadedEventLoopGroup(numberOfThreads: SameBytes.threads)
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { SameBytes.announce(port: $0.localAddress?.port ?? 0) },
            eventLoopGroupProvider: .shared(threads), logger: logger)
        try await application.runService()
    }
}
