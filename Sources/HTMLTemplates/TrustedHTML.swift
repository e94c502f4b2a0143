/// HTML that may stand in a page as it is: `{{{name}}}`.
///
/// Only a type whose every value is known to be harmless may conform: one that a sanitizer makes, or a writer of
/// pictures that escapes what it is given. `String` must never be one.
public protocol TrustedHTML {
    var html: String { get }
}
