import CCurl
import Glibc
import TextFormats

// The callbacks of libcurl and pthread, which run on the loop's thread. They are nonisolated functions in a separate
// file, because a closure written elsewhere may inherit an actor and trap here.

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
    // Any number other than the chunk's size stops the transfer; -1 differs even from that of an empty chunk.
    return transfer(context).received(body: chunk) ? chunk.count : -1
}

func curlOpensSocket(
    context: UnsafeMutableRawPointer?, purpose: curlsocktype, target: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let context, let target, let address = curl_sockaddr_address(target) else { return CURL_SOCKET_BAD }
    guard transfer(context).mayConnect(to: IPAddress(address)) else { return CURL_SOCKET_BAD }
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

/// The thread's main function. Takes ownership of the reference that `TransferQueue.start` put into `context`.
func runTransferLoop(context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    // Signals are handled by the program's other threads; SIGPIPE here would come from a peer that hung up.
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    TransferLoop(queue: Unmanaged<TransferQueue>.fromOpaque(context).takeRetainedValue())?.run()
    return nil
}

private func transfer(_ context: UnsafeMutableRawPointer) -> Transfer {
    Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
}
