import HTMLDocument
import Testing

@Suite struct HTMLDocumentTests {
    @Test func `the library is there`() {
        #expect(HTMLDocument.libraryVersion.hasPrefix("2."))
    }
}
