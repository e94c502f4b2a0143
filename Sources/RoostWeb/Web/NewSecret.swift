/// A secret that has just been made, with the name of whom or what it is for.
struct NewSecret: Sendable {
    let name: String
    let text: String
}
