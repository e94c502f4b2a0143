import Foundation
package import Logging
import Synchronization

/// Other people's pictures, fetched once by Roost and kept on disk: browsers talk to nobody else.
package final class PictureCache: Service {
    /// A picture as it is served.
    package struct Picture: Sendable, Equatable {
        package let mediaType: String
        package let bytes: [UInt8]

        package init(mediaType: String, bytes: [UInt8]) {
            self.mediaType = mediaType
            self.bytes = bytes
        }
    }

    /// An upstream's word for a picture, and what it was found to mean: reading a URL costs microseconds, and a page
    /// asks for hundreds.
    private struct Word: Hashable {
        let url, web: String
        let isTrusted: Bool
    }

    private struct State {
        var shelf: PictureShelf
        var known: [Word: PictureAddress?] = [:]
    }

    private static let mostWords = 10_000
    /// In seconds: what is no picture now will hardly be one soon; a network comes back.
    private static let pauses = (refused: 3_600.0, noAnswer: 300.0)

    private let api: PictureAPI
    private let folder: PictureFolder
    private let feed: ChangeFeed
    private let clock: WallClock
    private let log: Logger
    private let state: Mutex<State>
    private let wanted = WakeUp()
    private let come = WakeUp()

    /// - Parameters:
    ///   - folder: made when the first picture comes
    ///   - mostBytes: of all pictures together; what has not been looked at for longest goes first
    package init(
        folder: String, mostBytes: Int = 64 << 20, api: PictureAPI, feed: ChangeFeed,
        clock: WallClock, log: Logger
    ) {
        self.api = api
        self.folder = PictureFolder(path: folder)
        self.feed = feed
        self.clock = clock
        self.log = log
        state = Mutex(State(shelf: PictureShelf(mostBytes: mostBytes)))
    }

    /// The address of a picture that is here, "/pictures/NAME"; nil until then: it is fetched in the background, and
    /// `Topic.pictures` tells when it has come. Never waits.
    ///
    /// - Parameters:
    ///   - url: as the upstream names it
    ///   - source: who named it
    package func address(of url: String?, from source: some PictureSource) -> String? {
        guard let url else { return nil }
        let word = Word(url: url, web: source.webURL, isTrusted: source.isTrusted)
        let (now, steady) = (clock.now(), clock.steady())
        let (path, isNew) = state.withLock { state -> (String?, Bool) in
            if state.known.count >= Self.mostWords { state.known.removeAll() }
            let address = state.known[word] ?? PictureAddress(url, from: source)
            state.known[word] = .some(address)
            guard let address else { return (nil, false) }
            let asked = state.shelf.ask(for: address, now: now, steady: steady)
            return (asked.isHere ? "/pictures/" + address.name : nil, asked.isNew)
        }
        if isNew { wanted.ring() }
        return path
    }

    /// How many wait to be fetched, and whether nothing does and nothing is under way.
    package var waiting: Int { state.withLock { $0.shelf.waitingCount } }
    package var isIdle: Bool { state.withLock { $0.shelf.isIdle } }

    /// A picture by its name in the address; nil for one that is not here.
    package func picture(named name: String) async -> Picture? {
        let now = clock.now()
        guard let entry = state.withLock({ $0.shelf.entries[name] }) else { return nil }
        let isDue = state.withLock { $0.shelf.use(name, now: now) }
        // Looked at again: the disk may have lost a part of it.
        guard let bytes = await folder.read(name), let image = try? CheckedImage(bytes) else {
            state.withLock { $0.shelf.drop(name) }
            return nil
        }
        if isDue { await folder.stamp(name, fetched: entry.fetchedAt, used: now) }
        return Picture(mediaType: image.mediaType, bytes: image.bytes)
    }

    /// Learns what lies on disk: those pictures are served without the network.
    package func load() async {
        var gone: [String] = []
        for file in await folder.files() {
            let entry = PictureShelf.Entry(size: file.size, fetchedAt: file.fetchedAt, usedAt: file.usedAt)
            gone += state.withLock { $0.shelf.put(entry, as: file.name) }
        }
        if !gone.isEmpty { await folder.remove(gone) }
    }

    /// Fetches what is wanted, and tells of what has come, until cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.tell() }
            while !Task.isCancelled {
                for address in state.withLock({ $0.shelf.next() }) {
                    group.addTask {
                        await self.fetch(address)
                        self.wanted.ring()
                    }
                }
                await wanted.wait()
            }
        }
    }

    /// Once a second at most, however many come.
    private func tell() async {
        while !Task.isCancelled {
            await come.wait()
            guard !Task.isCancelled else { return }
            feed.publish(Topic.pictures)
            try? await Task.sleep(for: .seconds(1))
        }
    }

    private func fetch(_ address: PictureAddress) async {
        let image: CheckedImage
        do { image = try await api.picture(at: address) } catch {
            return end(address, failedFor: pause(after: error))
        }
        let now = clock.now()
        guard await folder.write(image.bytes, as: address.name, at: now) else {
            log.warning("A picture could not be written to disk", metadata: ["folder": "\(folder.path)"])
            return end(address, failedFor: Self.pauses.refused)
        }
        let entry = PictureShelf.Entry(size: image.bytes.count, fetchedAt: now, usedAt: now)
        let gone = state.withLock { $0.shelf.put(entry, as: address.name) }
        end(address, failedFor: nil)
        if !gone.isEmpty { await folder.remove(gone) }
        come.ring()
    }

    /// In seconds; nil where it has not failed, but was interrupted.
    private func pause(after failure: PictureAPI.Failure) -> Double? {
        switch failure {
        case .cancelled: return nil
        case .noAnswer: return Self.pauses.noAnswer
        case .refused(let why):
            log.debug("A picture was refused", metadata: ["why": "\(why)"])
            return Self.pauses.refused
        }
    }

    private func end(_ address: PictureAddress, failedFor seconds: Double?) {
        let now = clock.steady()
        state.withLock { $0.shelf.end(address, failedUntil: seconds.map { now + $0 }, now: now) }
    }
}
