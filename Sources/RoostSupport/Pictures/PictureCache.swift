import Foundation
package import Logging
import Synchronization

/// Other people's pictures, fetched once by Roost and kept on disk: browsers talk to nobody else.
package final class PictureCache: Service, RefreshSource {
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
    private struct CacheKey: Hashable {
        let url, web: String
        let isTrusted, isArticle, isRestricted: Bool
    }

    private struct State {
        var index: PictureIndex
        var known: [CacheKey: PictureAddress?] = [:]

        mutating func address(
            of key: CacheKey, or made: @autoclosure () -> PictureAddress?
        ) -> PictureAddress? {
            if let address = known[key] { return address }
            if known.count >= PictureCache.maximumWords { known.removeAll() }
            let address = made()
            known[key] = .some(address)
            return address
        }
    }

    private static let maximumWords = 10_000
    /// Pictures asked for at the same time, and how many of them of strangers, who may be slow on purpose.
    private static let (maximumConcurrent, maximumConcurrentStrangers) = (4, 2)
    /// What waits to be asked for; what comes beyond it is asked for when the page is looked at again.
    private static let (maximumWaiting, maximumStrangersWaiting) = (2_000, 1_000)

    private let api: PictureAPI
    private let folder: PictureFolder
    private let thumbnails: ThumbnailMaker
    private let publisher: ThrottledPublisher
    private let refresher: Refresher<PictureAddress>
    private let clock: WallClock
    private let log: Logger
    private let state: Mutex<State>

    /// - Parameters:
    ///   - folder: made when the first picture comes
    ///   - maximumBytes: of all pictures together; what has not been looked at for longest goes first
    package init(
        folder: String, maximumBytes: Int = 512 << 20, api: PictureAPI,
        thumbnails: ThumbnailMaker = ThumbnailMaker(), feed: ChangeFeed, clock: WallClock, log: Logger
    ) {
        self.api = api
        self.folder = PictureFolder(path: folder)
        self.thumbnails = thumbnails
        publisher = ThrottledPublisher(feed: feed)
        // The failures themselves say for how long a picture is not asked for again.
        refresher = Refresher(
            clock: clock, backoff: Backoff(initial: 0, maximum: 0), mayStart: Self.mayStart)
        self.clock = clock
        self.log = log
        state = Mutex(State(index: PictureIndex(maximumBytes: maximumBytes)))
    }

    /// Whether a picture may be asked for beside others.
    package static func mayStart(_ address: PictureAddress, beside running: [PictureAddress]) -> Bool {
        running.count < maximumConcurrent
            && (address.isOwn || running.count { !$0.isOwn } < maximumConcurrentStrangers)
    }

    /// The address of a picture that is here, "/pictures/NAME"; nil until then: it is fetched in the background, and
    /// `Topic.pictures` tells when it has come. Never waits.
    ///
    /// - Parameters:
    ///   - url: as the upstream names it
    ///   - source: who named it
    package func address(of url: String?, from source: some PictureSource) -> String? {
        guard let url else { return nil }
        let word = CacheKey(
            url: url, web: source.webURL, isTrusted: source.isTrusted, isArticle: source.isArticle,
            isRestricted: source.strangerHosts != nil)
        let now = clock.now()
        let known = state.withLock { state -> (address: PictureAddress, isHere: Bool, isFresh: Bool)? in
            guard let address = state.address(of: word, or: PictureAddress(url, from: source)) else {
                return nil
            }
            let (isHere, isFresh) = state.index.look(for: address.name, now: now)
            return (address, isHere, isFresh)
        }
        guard let known else { return nil }
        if !known.isFresh {
            let room = known.address.isOwn ? Self.maximumWaiting : Self.maximumStrangersWaiting
            refresher.request(known.address, room: room)
        }
        return known.isHere ? "/pictures/" + known.address.name : nil
    }

    /// How many wait to be fetched, and whether nothing does and nothing is under way.
    package var waiting: Int { refresher.waiting }
    package var isIdle: Bool { refresher.isIdle }

    /// A picture by its name in the address; nil for one that is not here.
    package func picture(named name: String) async -> Picture? {
        let now = clock.now()
        guard let entry = state.withLock({ $0.index.entries[name] }) else { return nil }
        let isDue = state.withLock { $0.index.use(name, now: now) }
        // Looked at again: the disk may have lost a part of it.
        guard let bytes = await folder.read(name), let image = try? CheckedImage(bytes, within: .article)
        else {
            state.withLock { $0.index.drop(name) }
            return nil
        }
        if isDue { await folder.stamp(name, fetched: entry.fetchedAt, used: now) }
        return Picture(mediaType: image.mediaType, bytes: image.bytes)
    }

    /// What a page shows of a picture: a small copy, which is kept next to the picture; a small picture itself; or an empty
    /// drawing of the same proportion if there can be no copy. Nil for a picture that is not here.
    ///
    /// Throws `RoostError.unavailable` while too many copies are waiting to be made.
    package func thumbnail(
        named name: String, _ size: ThumbnailMaker.Size
    ) async throws -> Picture? {
        guard let original = state.withLock({ $0.index.entries[name] }) else { return nil }
        let copy = PictureAddress.name(ofCopy: name, "\(size)")
        let made = state.withLock { $0.index.entries[copy] }
        // A picture that was fetched again may be another one.
        if let made, made.fetchedAt >= original.fetchedAt, let found = await picture(named: copy) {
            return found
        }
        guard let picture = await picture(named: name),
            let image = try? CheckedImage(picture.bytes, within: .article)
        else { return nil }
        if ThumbnailMaker.isSmall(image, for: size) { return picture }
        let key = "\(copy) \(original.fetchedAt.timeIntervalSince1970)"
        guard let small = try await thumbnails.thumbnail(of: image, size, key: key) else {
            let (mediaType, bytes) = ThumbnailMaker.placeholder(
                width: image.width, height: image.height, lines: [])
            return Picture(mediaType: mediaType, bytes: bytes)
        }
        await keep(small, as: copy, fetched: original.fetchedAt)
        return Picture(mediaType: small.mediaType, bytes: small.bytes)
    }

    /// False where the disk takes nothing.
    @discardableResult
    private func keep(_ image: CheckedImage, as name: String, fetched: Date) async -> Bool {
        guard await folder.write(image.bytes, as: name, at: fetched) else {
            log.warning("A picture could not be written to disk", metadata: ["folder": "\(folder.path)"])
            return false
        }
        let entry = PictureIndex.Entry(size: image.bytes.count, fetchedAt: fetched, usedAt: clock.now())
        let gone = state.withLock { $0.index.put(entry, as: name) }
        if !gone.isEmpty { await folder.remove(gone) }
        return true
    }

    /// Learns what lies on disk: those pictures are served without the network.
    package func load() async {
        var gone: [String] = []
        for file in await folder.files() {
            let entry = PictureIndex.Entry(size: file.size, fetchedAt: file.fetchedAt, usedAt: file.usedAt)
            gone += state.withLock { $0.index.put(entry, as: file.name) }
        }
        if !gone.isEmpty { await folder.remove(gone) }
    }

    /// Fetches what is wanted, and tells of what has come, until cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.publisher.run() }
            await refresher.run(self)
        }
    }

    package func refresh(_ address: PictureAddress) async throws -> RefreshOutcome {
        let image: CheckedImage
        do { image = try await api.picture(at: address) } catch {
            if error == .cancelled { throw CancellationError() }
            throw error
        }
        guard await keep(image, as: address.name, fetched: clock.now()) else {
            throw PictureAPI.Failure.refused("not written")
        }
        return .done
    }

    package func ended(_ address: PictureAddress, _ failure: (any UpstreamFailure)?) {
        if case .refused(let why) = failure as? PictureAPI.Failure {
            log.debug("A picture was refused", metadata: ["why": "\(why)"])
        }
        if failure == nil { publisher.publish([Topic.pictures]) }
    }
}

extension Topic {
    /// Pictures that have come meanwhile.
    package static let pictures = "pictures"
}
