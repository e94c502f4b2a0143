import CCurl

/// A libcurl easy handle that checks every result code. Used only on the loop's thread.
final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    private var lists: [UnsafeMutablePointer<curl_slist>] = []
    private let errorText: UnsafeMutablePointer<CChar>

    init() throws(HTTPClientError) {
        guard let raw = curl_easy_init() else {
            throw .other(code: Int(CURLE_FAILED_INIT.rawValue), "no memory")
        }
        self.raw = raw
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        curl_easy_cleanup(raw)
        freeLists()
        errorText.deallocate()
    }

    func reset() throws(HTTPClientError) {
        curl_easy_reset(raw)
        freeLists()
        errorText[0] = 0
        try check(curl_set_pointer(raw, CURLOPT_ERRORBUFFER, errorText), CURLOPT_ERRORBUFFER)
    }

    var detail: String { String(cString: errorText) }

    func set(_ option: CURLoption, _ value: Int) throws(HTTPClientError) {
        try check(curl_set_long(raw, option, value), option)
    }

    func set(_ option: CURLoption, size value: Int) throws(HTTPClientError) {
        try check(curl_set_size(raw, option, curl_off_t(value)), option)
    }

    /// libcurl copies the text.
    func set(_ option: CURLoption, _ value: String) throws(HTTPClientError) {
        try check(curl_set_string(raw, option, value), option)
    }

    /// Not retained: the caller must keep it alive as long as the handle runs.
    func set(_ option: CURLoption, pointer: UnsafeMutableRawPointer) throws(HTTPClientError) {
        try check(curl_set_pointer(raw, option, pointer), option)
    }

    func set(_ option: CURLoption, _ call: @escaping curl_bytes_callback) throws(HTTPClientError) {
        try check(curl_set_bytes_callback(raw, option, call), option)
    }

    func setSocket(_ call: @escaping curl_opensocket_callback) throws(HTTPClientError) {
        try check(curl_set_socket_callback(raw, call), CURLOPT_OPENSOCKETFUNCTION)
    }

    func setPrereq(_ call: @escaping curl_prereq_callback) throws(HTTPClientError) {
        try check(curl_set_prereq_callback(raw, call), CURLOPT_PREREQFUNCTION)
    }

    /// libcurl copies the body, and needs its size first.
    func set(body: [UInt8]) throws(HTTPClientError) {
        try set(CURLOPT_POSTFIELDSIZE_LARGE, size: body.count)
        let code = body.withUnsafeBytes { bytes in
            // An empty array may have no address, and NULL means "read the body from a callback".
            guard let base = bytes.baseAddress else {
                return curl_set_string(raw, CURLOPT_COPYPOSTFIELDS, "")
            }
            return curl_set_pointer(raw, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: base))
        }
        try check(code, CURLOPT_COPYPOSTFIELDS)
    }

    /// The list is freed when this handle is reset.
    func set(headers lines: [String]) throws(HTTPClientError) { try set(CURLOPT_HTTPHEADER, lines: lines) }

    func set(_ option: CURLoption, lines: [String]) throws(HTTPClientError) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = curl_slist_append(list, line) else {
                curl_slist_free_all(list)
                throw .other(code: Int(CURLE_OUT_OF_MEMORY.rawValue), "no memory")
            }
            list = longer
        }
        guard let list else { return }
        lists.append(list)
        try check(curl_set_list(raw, option, list), option)
    }

    func number(_ info: CURLINFO) throws(HTTPClientError) -> Int {
        var value = 0
        let code = curl_get_long(raw, info, &value)
        guard code == CURLE_OK else { throw .other(code: Int(code.rawValue), "info \(info.rawValue)") }
        return value
    }

    private func check(_ code: CURLcode, _ option: CURLoption) throws(HTTPClientError) {
        guard code != CURLE_OK else { return }
        let message = String(cString: curl_easy_strerror(code))
        throw .other(code: Int(code.rawValue), "option \(option.rawValue): \(message)")
    }

    private func freeLists() {
        lists.forEach { curl_slist_free_all($0) }
        lists = []
    }
}
