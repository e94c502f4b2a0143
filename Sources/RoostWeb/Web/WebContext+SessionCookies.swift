import HTTPServer
import RoostServices

extension WebContext {
    /// The cookie of a session, whether it is one or not.
    func sessionSecret(of request: Request) -> String? {
        request.cookies[SiteCookie.session.name(isSecure: forwarding.caller(of: request).isSecure)]
    }

    /// Sets the cookies of a session that has begun, and of the device that it has begun on.
    func setSession(
        _ begun: SessionService.NewSession, in response: inout Response, for request: Request
    ) {
        let isSecure = forwarding.caller(of: request).isSecure
        let device = DeviceCookie(of: request, isSecure: isSecure).adding(begun.deviceSecret)
        response.headers.append(SiteCookie.session.header(begun.secret, isSecure: isSecure))
        response.headers.append(SiteCookie.device.header(device.value, isSecure: isSecure))
        response["Cache-Control"] = "no-store"
    }

    /// Removes the session's cookie. The device stays known, for the next sign-in.
    func endSession(in response: inout Response, for request: Request) {
        let isSecure = forwarding.caller(of: request).isSecure
        response.headers.append(SiteCookie.session.header(nil, isSecure: isSecure))
        response["Cache-Control"] = "no-store"
    }

    /// Leads somebody who has just shown who he is into the house.
    func welcome(_ begun: SessionService.NewSession, to path: String, _ request: Request) -> HandlerResult {
        var response = Response.redirect(to: path)
        setSession(begun, in: &response, for: request)
        return .response(response)
    }
}
