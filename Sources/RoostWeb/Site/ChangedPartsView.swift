package import Accounts
package import HTMLTemplates
package import HTTPServer

/// The response to a script's action: the notice and the changed parts of the page. The script finds each by key or id.
///
/// If there is no row among them, the script fetches the page's lists again.
package struct ChangedPartsView: Sendable {
    /// The header with which a script requests changed parts; the response carries it too.
    package static let header = "X-Roost-Parts"
    static let headerValue = "1"

    package let notice: NoticeView?
    package let parts: [RenderedView]
    /// The key of the row that has left the list.
    let removedKey: String?
}

extension WebContext {
    package func part<View: HTMLView>(_ view: View, for request: Request) -> RenderedView
    where View.Context == TemplateContext {
        RenderedView(view, in: templateContext(for: request))
    }

    /// Responds to a script's action with the changed parts.
    package func changed(
        _ notice: NoticeView?, parts: [RenderedView] = [], removed: String? = nil, for request: Request
    ) -> HandlerResult {
        .response(changedParts(notice, parts: parts, removed: removed, for: request))
    }

    /// Returns the same as a response. If the input was rejected, one of the parts is its form.
    package func changedParts(
        _ notice: NoticeView? = nil, parts: [RenderedView], removed: String? = nil, for request: Request
    ) -> Response {
        let view = ChangedPartsView(notice: notice, parts: parts, removedKey: removed)
        var response = Response.html(view.html(in: templateContext(for: request)))
        response["Cache-Control"] = "no-store"
        response[ChangedPartsView.header] = ChangedPartsView.headerValue
        return response
    }

    /// Responds to an action: a script gets the changed parts; a browser is redirected to the page, which shows the
    /// notice.
    package func answer(
        _ request: Request, page: String, showing notice: NoticeView? = nil, removed: String? = nil,
        to user: User
    ) -> HandlerResult {
        request.wantsChangedParts
            ? changed(notice, removed: removed, for: request) : redirect(to: page, showing: notice, to: user)
    }
}
