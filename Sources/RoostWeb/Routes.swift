import HTTPServer
import RoostServices

extension Site {
    /// Every address of Roost, with who may use it: a new feature adds its line.
    var routes: [SiteRoute] {
        let guarded = RouteGuard(site: self)
        return HomePages(site: self).routes(guarded)
            + SetupPages(site: self).routes(guarded)
            + LoginPages(site: self).routes(guarded)
            + JoinPages(site: self).routes(guarded)
            + ResetPages(site: self).routes(guarded)
            + ProfilePages(site: self).routes(guarded)
            + SecurityPages(site: self).routes(guarded)
            + TokensPages(site: self).routes(guarded)
            + GitHubPages(site: self).routes(guarded)
            + GitHubSignInPages(site: self).routes(guarded)
            + GitHubAccountAPI(site: self).routes(guarded)
            + PicturePages(site: self).routes(guarded)
            + MembersPages(site: self).routes(guarded)
            + InvitationsPages(site: self).routes(guarded)
            + LogPages(site: self).routes(guarded)
            + AccountAPI(site: self).routes(guarded)
            + WatchlistPages(site: self).routes(guarded)
            + WatchlistAPI(site: self).routes(guarded)
            + PullsPages(site: self).routes(guarded)
            + PullActsPages(site: self).routes(guarded)
            + PullSectionsPages(site: self).routes(guarded)
            + PullsAPI(site: self).routes(guarded)
            + RepositoriesPages(site: self).routes(guarded)
            + RepositoryPages(site: self).routes(guarded)
            + RepositoriesAPI(site: self).routes(guarded)
            + BookmarksPages(site: self).routes(guarded)
            + BookmarkActsPages(site: self).routes(guarded)
            + BookmarkFilePages(site: self).routes(guarded)
            + BookmarksAPI(site: self).routes(guarded)
            + DisplaysPages(site: self).routes(guarded)
            + WallPages(site: self).routes(guarded)
            + ChangesPages(site: self).routes(guarded)
            + HealthPages(site: self).routes(guarded)
            + guarded.files(files)
    }
}
