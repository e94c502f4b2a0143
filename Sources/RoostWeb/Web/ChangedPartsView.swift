import Accounts
import HTMLTemplates
import HTTPServer

/// The answer to a script's action, in place of the page: the notice and the parts of the page that changed, each found
/// by its key or id.
///
/// If there is no row among them, the script fetches the page's lists again.
struct ChangedPartsView: Sendable {
    /// The header with which a script asks for changed parts, and which their answer carries as well.
    static let header = "X-Roost-Parts"
    static let headerValue = "1"

    let notice: NoticeView?
    let parts: [RenderedView]
    /// The key of the row that has left the list.
    let goneKey: String?
}

extension WebContext {
    /// A view as a part of the page that sent this request.
    func part<View: HTMLView>(_ view: View, for request: Request) -> RenderedView
    where View.Context == TemplateContext {
        RenderedView(
            view, in: TemplateContext(assets: assets, formToken: formToken(for: request, scope: .reader)))
    }

    /// Answers a script's action with what it changed.
    ///
    /// - Parameter gone: the key of the row that has left the list
    func changed(
        _ notice: NoticeView?, parts: [RenderedView] = [], gone: String? = nil, for request: Request
    ) -> HandlerResult {
        .response(changedParts(notice, parts: parts, gone: gone, for: request))
    }

    /// The same as a response, which may refuse what was typed: then one of the parts is its form.
    func changedParts(
        _ notice: NoticeView? = nil, parts: [RenderedView], gone: String? = nil, status: Int = 200,
        for request: Request
    ) -> Response {
        let view = ChangedPartsView(notice: notice, parts: parts, goneKey: gone)
        let context = TemplateContext(assets: assets, formToken: formToken(for: request, scope: .reader))
        var response = Response.html(view.html(in: context), status: status)
        response["Cache-Control"] = "no-store"
        response[ChangedPartsView.header] = ChangedPartsView.headerValue
        return response
    }

    /// Answers an action: a script gets the changed parts, a browser is redirected to the page, which shows the notice.
    func answer(
        _ request: Request, page: String, showing notice: NoticeView? = nil, gone: String? = nil,
        to user: User
    ) -> HandlerResult {
        request.wantsChangedParts
            ? changed(notice, gone: gone, for: request) : redirect(to: page, showing: notice, to: user)
    }
}
