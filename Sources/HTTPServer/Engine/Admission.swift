/// Decides about a request when its headers are complete, before any of its body is read.
struct Admission {
    enum Decision {
        case admitted(BoundRoute)
        case refused(Response, BoundRoute?)
    }

    private let engine: Engine
    private let client: ClientConnection

    init(_ engine: Engine, _ client: ClientConnection) {
        self.engine = engine
        self.client = client
    }

    /// Fills in the request's query and parameters.
    func decide(_ request: inout Request, _ plan: BodyPlan, headerBytes: Int) -> Decision {
        if let fault = objection(request, plan, headerBytes) { return refuse(fault, request) }
        let query = Request.split(request.target).query
        if !query.isEmpty {
            guard let decoded = try? Query(parsing: query) else {
                return refuse(.malformed("The query of the address is not properly encoded."), request)
            }
            request.query = decoded
        }
        if let response = engine.configuration.gate?(request) { return .refused(response, nil) }
        return route(&request, plan)
    }

    private func objection(_ request: Request, _ plan: BodyPlan, _ headerBytes: Int) -> ServerFault? {
        if client.isRefused { return .overloaded }
        if engine.isStopping { return .stopping }
        if request.target.utf8.count > engine.configuration.uriLimit { return .targetTooLong }
        if headerBytes > engine.configuration.headerLimit { return .headersTooLarge }
        if request.method == .unknown { return .unknownMethod }
        if plan.isAmbiguous { return .malformed("The length of the body is not clear.") }
        return nil
    }

    private func route(_ request: inout Request, _ plan: BodyPlan) -> Decision {
        switch engine.router.match(request.method, request.path) {
        case .found(let route, let parameters):
            request.parameters = parameters
            let limit = route.route.bodyLimit
            return plan.length > limit
                ? refuse(.bodyTooLarge(limit: limit), request, route) : .admitted(route)
        case .options(let allow):
            return .refused(Response(status: 204, headers: [("Allow", Engine.list(allow))]), nil)
        case .notAllowed(let allow): return refuse(.methodNotAllowed(allow: allow), request)
        case .notFound: return refuse(.notFound, request)
        case .malformed: return refuse(.malformed("The address is not properly encoded."), request)
        }
    }

    private func refuse(_ fault: ServerFault, _ request: Request, _ route: BoundRoute? = nil) -> Decision {
        .refused(engine.response(to: fault, request), route)
    }
}
