import TestSupport
import Testing

@testable import ArticleText

@Suite struct PageRedirectTests {
    private func target(_ html: String) -> String? {
        PageRedirect.target(of: Array(html.utf8), charset: "utf-8", url: "https://paper.example/a/b")
    }

    @Test(arguments: [
        "<meta http-equiv='refresh' content='0; url=/new'>",
        "<META HTTP-EQUIV=Refresh CONTENT=\"5;URL='/new'\">",
        "<meta http-equiv=refresh content='0,https://paper.example/new'>",
        "<script>window.location.href = \"https:\\/\\/paper.example\\/new\"</script>",
        "<script>location.replace('/new');</script><p>Please wait.</p>",
        "<script>document.location='/new'</script>",
    ])
    func `a page that sends its readers on has a target`(html: String) {
        #expect(
            target("<html><head><title>Moved</title>\(html)</head><body></body></html>")
                == "https://paper.example/new")
    }

    @Test(arguments: [
        "<meta http-equiv='refresh' content='300'>", "<meta http-equiv='refresh' content='0; url=/a/b'>",
        "<meta http-equiv='refresh' content='600; url=/new'>",
        "<noscript><meta http-equiv='refresh' content='0; url=/new'></noscript>",
        "<script>if (location == '') { }</script>",
        "<meta http-equiv='refresh' content='0; url=javascript:x'>",
    ])
    func `a page that loads again or has no other address stays`(html: String) {
        #expect(target("<html><head>\(html)</head><body></body></html>") == nil)
    }

    @Test func `an article's scripts send nobody on`() {
        #expect(target(SamplePage.html(after: "<script>location.href = '/new'</script>")) == nil)
    }
}
