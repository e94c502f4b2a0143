/// The names of what can change; one with a user or a display in it is heard by that user or display only.
///
/// Each feature declares its topics in an extension.
package enum Topic {}
