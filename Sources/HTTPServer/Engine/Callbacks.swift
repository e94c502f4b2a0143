import CMicroHTTPD
import Glibc
import TextFormats

// The callbacks of libmicrohttpd, which run on its threads. They are functions in a separate file, because a closure
// written in isolated code would trap there. `cls` is the engine, which the daemon keeps alive until it has stopped.

func accept(
    _ cls: UnsafeMutableRawPointer?, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t
) -> MHD_Result {
    guard let peer = address.flatMap({ IPAddress($0) })?.unmapped, let engine = engine(cls) else {
        return .NO
    }
    return engine.accepts(peer) ? .YES : .NO
}

func connectionChanged(
    _ cls: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ change: MHD_ConnectionNotificationCode
) {
    guard let connection, let context, let engine = engine(cls) else { return }
    if change == .CONNECTION_NOTIFY_STARTED {
        // Released below, when the connection closes.
        context.pointee = Unmanaged.passRetained(engine.opened(connection)).toOpaque()
    } else if let pointer = context.pointee {
        let client = Unmanaged<ClientConnection>.fromOpaque(pointer).takeRetainedValue()
        // After two errors in one request, libmicrohttpd does not report the end of the request.
        client.unfinished?.takeRetainedValue().abandon()
        client.unfinished = nil
        engine.closed(client)
        context.pointee = nil
    }
}

/// Called when the request line is complete. The result is the `request` of the callbacks below.
func requestBegan(
    _ cls: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let target, let connection, let context = mhdshim_socket_context(connection),
        let engine = engine(cls)
    else { return nil }
    let client = Unmanaged<ClientConnection>.fromOpaque(context).takeUnretainedValue()
    let exchange = Exchange(engine, client, connection, target: String(cString: target))
    mhdshim_cut_query(target)
    // Released in `requestCompleted` or when the connection closes.
    let retained = Unmanaged.passRetained(exchange)
    client.unfinished = retained
    return retained.toOpaque()
}

func requestAdvanced(
    _ cls: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ path: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ data: UnsafePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let method, let version, let size, let request = request?.pointee else { return .NO }
    let exchange = Unmanaged<Exchange>.fromOpaque(request).takeUnretainedValue()
    let bytes = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size.pointee)
    size.pointee = 0
    return exchange.advance(method: method, version: version, body: bytes)
}

func requestCompleted(
    _ cls: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ reason: MHD_RequestTerminationCode
) {
    guard let pointer = request?.pointee else { return }
    let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
    exchange.client.unfinished = nil
    exchange.complete(reason)
    request?.pointee = nil
}

func headerFound(
    _ cls: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?, _ nameLength: Int,
    _ value: UnsafePointer<CChar>?, _ valueLength: Int
) -> MHD_Result {
    guard let headers = cls?.assumingMemoryBound(to: Headers.self), let name else { return .NO }
    let bytes = UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueLength)
    // libmicrohttpd trims white space before a value, but not after it (RFC 9112 section 5.1), and does not recognise a
    // transfer coding followed by white space.
    let isCoding = nameLength == 17 && strncasecmp(name, "Transfer-Encoding", 17) == 0
    let end = isCoding ? bytes.count : bytes.lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? 0
    headers.pointee.append(
        UnsafeRawBufferPointer(start: name, count: nameLength), bytes[..<end],
        isFolded: !isOnOneLine(name, nameLength, value))
    return .YES
}

/// Returns false unless the value follows its name in memory, with only the colon and white space in between.
///
/// libmicrohttpd 0.9.75 appends the second line of a folded field (RFC 9112 section 5.2) to the field's *name*, which
/// it moves: "Transfer-Encoding:" and " chunked" become a field "Transfer-Encodingchunked".
private func isOnOneLine(
    _ name: UnsafePointer<CChar>, _ nameLength: Int, _ value: UnsafePointer<CChar>?
) -> Bool {
    guard let value else { return true }
    let gap = UInt(bitPattern: value) &- UInt(bitPattern: name) &- UInt(nameLength)
    // Both are in the connection's memory, so the bytes between them can be read.
    guard gap >= 1, gap <= 65_536 else { return false }
    return (1..<Int(gap)).allSatisfy { name[nameLength + $0] == 0x20 || name[nameLength + $0] == 0x09 }
}

func streamRead(
    _ cls: UnsafeMutableRawPointer?, _ position: UInt64, _ target: UnsafeMutablePointer<CChar>?, _ count: Int
) -> Int {
    guard let cls, let target else { return StreamSource.failed }
    return Unmanaged<StreamSource>.fromOpaque(cls).takeUnretainedValue().read(into: target, count)
}

func streamFreed(_ cls: UnsafeMutableRawPointer?) {
    if let cls { Unmanaged<StreamSource>.fromOpaque(cls).release() }
}

func threadStarted(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let work { Unmanaged<DedicatedThread.Work>.fromOpaque(work).takeRetainedValue().run() }
    return nil
}

/// How libmicrohttpd's log message begins when it is about to answer itself.
private let ownAnswer = "Error processing request (HTTP response code is "

func messageLogged(_ cls: UnsafeMutableRawPointer?, _ text: UnsafePointer<CChar>?) {
    guard let text else { return }
    if strncmp(text, ownAnswer, strlen(ownAnswer)) == 0 {
        UnfinishedHeads.ofThisThread.refuseUnreadableLengths()
    }
    engine(cls)?.log(String(cString: text))
}

private func engine(_ cls: UnsafeMutableRawPointer?) -> Engine? {
    cls.map { Unmanaged<Engine>.fromOpaque($0).takeUnretainedValue() }
}
