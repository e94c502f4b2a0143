import Accounts
import HTTPServer
import RoostSupport

extension WebContext {
    /// The session cookie's value, valid or not.
    func sessionSecret(of request: Request) -> String? {
        request.cookies[SiteCookie.session.name(isSecure: forwarding.caller(of: request).isSecure)]
    }

    /// Sets the cookies of a new session and of its device.
    func setSession(
        _ begun: SessionService.NewSession, in response: inout Response, for request: Request
    ) {
        let isSecure = forwarding.caller(of: request).isSecure
        let device = DeviceCookie(of: request, isSecure: isSecure).adding(begun.deviceSecret)
        response.headers.append(SiteCookie.session.header(begun.secret, isSecure: isSecure))
        response.headers.append(SiteCookie.device.header(device.value, isSecure: isSecure))
        if request.cookies[SiteCookie.link.name(isSecure: isSecure)] != nil {
            response.headers.append(SiteCookie.link.header(nil, isSecure: isSecure))
        }
        response["Cache-Control"] = "no-store"
    }

    /// Removes the session's cookie, and keeps the device's for the next sign-in.
    func endSession(in response: inout Response, for request: Request) {
        let isSecure = forwarding.caller(of: request).isSecure
        response.headers.append(SiteCookie.session.header(nil, isSecure: isSecure))
        response["Cache-Control"] = "no-store"
    }

    /// Notes on the browser that it has opened this join or reset link, which is open.
    func rememberLink(_ code: String, in response: inout Response, for request: Request) {
        guard let code = LinkCode(code) else { return }
        let isSecure = forwarding.caller(of: request).isSecure
        response.headers.append(SiteCookie.link.header("\(code)", isSecure: isSecure))
    }

    /// Redirects a user who has just signed in, with the cookies of the new session.
    func welcome(_ begun: SessionService.NewSession, to path: String, _ request: Request) -> HandlerResult {
        var response = Response.redirect(to: path)
        setSession(begun, in: &response, for: request)
        return .response(response)
    }
}
