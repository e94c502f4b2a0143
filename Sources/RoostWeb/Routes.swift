import HTTPServer
import RoostServices

extension Site {
    /// Every address of Roost: a new feature adds its line.
    var routes: [Route] {
        let guarded = RouteGuard(site: self)
        return HomePages(site: self).routes(guarded)
            + WatchlistPages(site: self).routes(guarded)
            + WatchlistAPI(site: self).routes(guarded)
            + DisplaysPages(site: self).routes(guarded)
            + WallPages(site: self).routes
            + ChangesPages(site: self).routes
            + HealthPages(site: self).routes(guarded)
            + files.routes
    }
}
