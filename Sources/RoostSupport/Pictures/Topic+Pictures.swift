extension Topic {
    /// Pictures that have come meanwhile.
    package static let pictures = "pictures"
}
