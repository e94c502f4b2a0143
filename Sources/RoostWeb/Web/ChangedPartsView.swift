import HTMLTemplates
import HTTPServer
import RoostServices

/// What a script is answered after an act, in place of the page: the notice, and the parts of the page that it changed,
/// each known by its key or id.
///
/// Where no row is among them, the script fetches the page's lists again.
package struct ChangedPartsView: Sendable {
    /// The header by which a script asks for this answer, and by which it knows that it got it.
    static let header = "X-Roost-Parts"
    static let headerValue = "1"

    package let notice: NoticeView?
    let parts: [RenderedView]
    /// Of the row that has left the list.
    let goneKey: String?

    package static let sample = ChangedPartsView(notice: .sample, parts: [], goneKey: "dogecoin")
}

extension Request {
    /// A script sent this form and puts what changed into the page that it has.
    var wantsChangedParts: Bool { headers[ChangedPartsView.header] == ChangedPartsView.headerValue }
}

extension WebContext {
    /// A view as a part of the page that sent this request.
    func part<View: HTMLView>(_ view: View, for request: Request) -> RenderedView
    where View.Context == TemplateContext {
        RenderedView(
            view, in: TemplateContext(assets: assets, formToken: formToken(for: request, scope: .reader)))
    }

    /// Answers a script's act with what it changed.
    ///
    /// - Parameter gone: the key of the row that has left the list
    func changed(
        _ notice: NoticeView?, parts: [RenderedView] = [], gone: String? = nil, for request: Request
    ) -> HandlerResult {
        let view = ChangedPartsView(notice: notice, parts: parts, goneKey: gone)
        let context = TemplateContext(assets: assets, formToken: formToken(for: request, scope: .reader))
        var response = Response.html(view.html(in: context))
        response["Cache-Control"] = "no-store"
        response[ChangedPartsView.header] = ChangedPartsView.headerValue
        return .response(response)
    }

    /// Answers an act: to a script with what it changed, to others with the way to the page, which shows the notice.
    func answer(
        _ request: Request, page: String, showing notice: NoticeView? = nil, gone: String? = nil,
        to user: User
    ) -> HandlerResult {
        request.wantsChangedParts
            ? changed(notice, gone: gone, for: request) : redirect(to: page, showing: notice, to: user)
    }
}
