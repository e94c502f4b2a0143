import CCurl
import Glibc

/// The thread's work: one libcurl multi handle, all transfers, no lock. Never leaves its thread.
final class TransferLoop {
    private let queue: TransferQueue
    private let multi: UnsafeMutableRawPointer
    private var transfers: [UInt64: Transfer] = [:]
    /// No transfer's time is over before this; may be earlier than need be.
    private var nextDeadline = ContinuousClock.now

    /// How long a lost wake-up could go unnoticed.
    private static let pollLimit = Duration.seconds(1)

    /// Once for the process; safe from every thread since libcurl 7.84.
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
        // Nothing to do about a failure here: the handle is gone either way.
        _ = curl_multi_cleanup(multi)
    }

    func run() {
        while true {
            let (commands, isStopping) = queue.take()
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
            // Unknown: answered in the meantime.
            if let transfer = transfers[id] { end(transfer, .failure(.cancelled)) }
        }
    }

    private func start(_ submission: Submission) {
        do throws(HTTPClientError) {
            let transfer = try Transfer(submission, configuration: queue.configuration)
            // This +1 for libcurl ends in `end`, and nowhere else.
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

    /// Everything that libcurl says is finished: either answered or sent on to the next hop.
    private func deliver() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else {
                continue
            }
            let code = message.pointee.data.result  // the message dies with the next call
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

    /// Takes the transfer from libcurl, which closes or keeps its connection, and answers. Ends the +1 of
    /// `start`.
    private func end(_ transfer: Transfer, _ result: Result<ClientResponse, HTTPClientError>) {
        guard transfers.removeValue(forKey: transfer.id) != nil else { return }
        // Also for a handle that was never added: libcurl says OK.
        let code = curl_multi_remove_handle(multi, transfer.easy.raw)
        transfer.finish(code == CURLM_OK ? result : .failure(Self.error(code)))
        Unmanaged.passUnretained(transfer).release()
    }

    /// libcurl 7.88 keeps no time for a transfer that waits for a connection, its own or one it may share.
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

    /// The loop as a whole failing (out of memory, out of descriptors): nothing that runs can be trusted to
    /// end.
    private func report(_ code: CURLMcode) {
        guard code != CURLM_OK else { return }
        failAll(with: Self.error(code))
        usleep(50_000)  // a failure that lasts must not keep a core busy
    }

    private static func error(_ code: CURLMcode) -> HTTPClientError {
        .other(code: Int(code.rawValue), String(cString: curl_multi_strerror(code)))
    }
}
