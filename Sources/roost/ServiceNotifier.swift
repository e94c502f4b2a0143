import Foundation

/// Reports the state of the service to systemd, as sd_notify(3) does: one datagram to a socket.
struct ServiceNotifier: Sendable {
    /// A path, or a name in the abstract namespace after "@".
    private let address: String

    /// Returns nil if no supervisor waits for messages.
    init?(environment: [String: String]) {
        guard let address = environment["NOTIFY_SOCKET"], let first = address.utf8.first,
            first == UInt8(ascii: "/") || first == UInt8(ascii: "@")
        else { return nil }
        self.address = address
    }

    func ready(at url: String) { send("READY=1\nSTATUS=Serving at \(url)") }

    /// `ready` must follow, whether or not the settings changed.
    func reloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        send("RELOADING=1\nMONOTONIC_USEC=\(Int(time.tv_sec) * 1_000_000 + Int(time.tv_nsec) / 1_000)")
    }

    func stopping() { send("STOPPING=1") }

    func isAlive() { send("WATCHDOG=1") }

    /// Drops messages that cannot be sent: systemd then acts on the missing message.
    private func send(_ message: String) {
        var target = sockaddr_un()
        target.sun_family = sa_family_t(AF_UNIX)
        var path = Array(address.utf8)
        // An abstract name begins with a zero byte and has no end mark, so its length counts.
        if path.first == UInt8(ascii: "@") { path[0] = 0 }
        let capacity = MemoryLayout.size(ofValue: target.sun_path)
        guard path.count < capacity else { return }
        withUnsafeMutableBytes(of: &target.sun_path) { $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size - capacity + path.count)
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(message.utf8)
        withUnsafePointer(to: &target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
    }
}
