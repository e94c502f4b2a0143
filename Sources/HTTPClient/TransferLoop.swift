import CCurl
import Glibc

/// The thread's loop: one libcurl multi handle and all transfers, without locks. Used only on its own thread.
final class TransferLoop {
    private let queue: TransferQueue
    private let multi: UnsafeMutableRawPointer
    private var transfers: [UInt64: Transfer] = [:]
    private var nextDeadline = ContinuousClock.now

    /// A limit on the delay if a wake-up is lost.
    private static let pollLimit = Duration.seconds(1)

    /// Runs once per process; thread-safe since libcurl 7.84.
    private static let global = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    init?(queue: TransferQueue) {
        self.queue = queue
        guard Self.global == CURLE_OK, let multi = curl_multi_init() else {
            queue.close(with: .other(code: Int(CURLE_FAILED_INIT.rawValue), "libcurl does not start"))
            return nil
        }
        self.multi = multi
        let configuration = queue.configuration
        let codes = [
            curl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX)),
            curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, configuration.idleConnections),
            curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.connectionsPerHost),
            curl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, configuration.connections),
        ]
        if let code = codes.first(where: { $0 != CURLM_OK }) {
            queue.close(with: Self.error(code))
            return nil
        }
        queue.open(multi)
    }

    deinit {
        // The handle is freed even if this fails.
        _ = curl_multi_cleanup(multi)
    }

    func run() {
        while true {
            let (commands, isStopping) = queue.dequeueCommands()
            commands.forEach(execute)
            if isStopping { break }
            var running: Int32 = 0
            report(curl_multi_perform(multi, &running))
            deliver()
            endOverdue()
            let wait = TransferOptions.milliseconds(min(Self.pollLimit, nextDeadline - .now))
            report(curl_multi_poll(multi, nil, 0, Int32(wait), nil))
        }
        failAll(with: .shutDown)
        queue.close(with: .shutDown)
    }

    private func execute(_ command: TransferQueue.Command) {
        switch command {
        case .start(let submission): start(submission)
        case .cancel(let id):
            // Unknown ids have been answered in the meantime.
            if let transfer = transfers[id] { end(transfer, .failure(.cancelled)) }
        }
    }

    private func start(_ submission: Submission) {
        do throws(HTTPClientError) {
            let transfer = try Transfer(submission, configuration: queue.configuration)
            // A reference for libcurl, released only in `end`.
            let context = Unmanaged.passRetained(transfer)
            transfers[transfer.id] = transfer
            nextDeadline = min(nextDeadline, transfer.deadline)
            hop(transfer, context: context.toOpaque())
        } catch {
            submission.continuation.resume(returning: .failure(error))
        }
    }

    private func hop(_ transfer: Transfer, context: UnsafeMutableRawPointer) {
        do throws(HTTPClientError) {
            try transfer.prepare(userAgent: queue.userAgent)
            try transfer.easy.set(CURLOPT_PRIVATE, pointer: context)
            let code = curl_multi_add_handle(multi, transfer.easy.raw)
            guard code == CURLM_OK else { throw Self.error(code) }
        } catch {
            end(transfer, .failure(error))
        }
    }

    private func deliver() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else {
                continue
            }
            let code = message.pointee.data.result  // the message is invalid after the next call
            var stored: UnsafeMutablePointer<CChar>?
            guard curl_get_pointer(easy, CURLINFO_PRIVATE, &stored) == CURLE_OK, let stored else { continue }
            let context = UnsafeMutableRawPointer(stored)
            let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
            if let result = transfer.outcome(of: code) {
                end(transfer, result)
            } else {
                let code = curl_multi_remove_handle(multi, easy)
                if code == CURLM_OK {
                    hop(transfer, context: context)
                } else {
                    end(transfer, .failure(Self.error(code)))
                }
            }
        }
    }

    /// Removes the transfer from libcurl, which closes or keeps its connection, and answers. Releases the reference of
    /// `start`.
    private func end(_ transfer: Transfer, _ result: Result<ClientResponse, HTTPClientError>) {
        guard transfers.removeValue(forKey: transfer.id) != nil else { return }
        // Returns OK for a handle that was never added, too.
        let code = curl_multi_remove_handle(multi, transfer.easy.raw)
        transfer.finish(code == CURLM_OK ? result : .failure(Self.error(code)))
        Unmanaged.passUnretained(transfer).release()
    }

    /// libcurl 7.88 does not time out transfers that wait for a connection.
    private func endOverdue() {
        let now = ContinuousClock.now
        guard nextDeadline <= now else { return }
        for transfer in Array(transfers.values) where transfer.deadline <= now {
            end(transfer, .failure(.timeout))
        }
        nextDeadline = transfers.values.map(\.deadline).min() ?? now + Self.pollLimit
    }

    private func failAll(with error: HTTPClientError) {
        for transfer in Array(transfers.values) { end(transfer, .failure(error)) }
    }

    /// Fails all transfers if the loop itself fails (out of memory or descriptors), because they may never end.
    private func report(_ code: CURLMcode) {
        guard code != CURLM_OK else { return }
        failAll(with: Self.error(code))
        usleep(50_000)  // do not keep a core busy if the failure lasts
    }

    private static func error(_ code: CURLMcode) -> HTTPClientError {
        .other(code: Int(code.rawValue), String(cString: curl_multi_strerror(code)))
    }
}
