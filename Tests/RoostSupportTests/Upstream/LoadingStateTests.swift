import Testing

@testable import RoostSupport

@Suite struct LoadingStateTests {
    @Test func `idle has neither value nor error`() {
        let state = LoadingState<Int>.idle
        #expect(!state.isLoading && state.data == nil && state.error == nil)
    }

    @Test func `loading has neither value nor error`() {
        let state = LoadingState<Int>.loading
        #expect(state.isLoading && state.data == nil && state.error == nil)
    }

    @Test func `loaded has its value`() {
        let state = LoadingState.loaded(3)
        #expect(!state.isLoading && state.data == 3 && state.error == nil)
    }

    @Test func `failed has its error`() {
        let state = LoadingState<Int>.failed(.forbidden)
        #expect(!state.isLoading && state.data == nil && state.error == .forbidden)
    }

    @Test func `states are compared by their contents`() {
        #expect(LoadingState.loaded(3) == .loaded(3))
        #expect(LoadingState.loaded(3) != .loaded(4))
        #expect(LoadingState<Int>.failed(.forbidden) != .failed(.networkUnavailable))
        #expect(LoadingState<Int>.idle != .loading)
    }
}
