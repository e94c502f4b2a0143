import CCurl
import Glibc

// What libcurl and pthread call, on the loop's thread. In a file of their own and nonisolated: a closure
// written elsewhere may inherit an actor and trap here.

func curlDidReceiveHeader(
    bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return transfer(context).received(header: line) ? line.count : 0
}

func curlDidReceiveBody(
    bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let chunk = UnsafeRawBufferPointer(start: bytes, count: size * count)
    // Any other number than what came stops the transfer; an empty chunk can stop nothing.
    return transfer(context).received(body: chunk) ? chunk.count : -1
}

func curlOpensSocket(
    context: UnsafeMutableRawPointer?, purpose: curlsocktype, target: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let context, let target, let address = curl_sockaddr_address(target) else { return CURL_SOCKET_BAD }
    let ip = IPAddress(address, length: Int(target.pointee.addrlen))
    guard transfer(context).mayConnect(to: ip) else { return CURL_SOCKET_BAD }
    let type = target.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
    return socket(target.pointee.family, type, target.pointee.protocol)
}

func curlWillSendRequest(
    context: UnsafeMutableRawPointer?, peer: UnsafeMutablePointer<CChar>?,
    local: UnsafeMutablePointer<CChar>?,
    peerPort: Int32, localPort: Int32
) -> Int32 {
    guard let context, let peer else { return CURL_PREREQFUNC_ABORT }
    return transfer(context).maySend(over: String(cString: peer)) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

/// The thread's life. Takes over the +1 that `TransferQueue.start` put into `context`.
func runTransferLoop(context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    // Signals are for the program's own threads; SIGPIPE here would come from a peer that hung up.
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    TransferLoop(queue: Unmanaged<TransferQueue>.fromOpaque(context).takeRetainedValue())?.run()
    return nil
}

private func transfer(_ context: UnsafeMutableRawPointer) -> Transfer {
    Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
}
