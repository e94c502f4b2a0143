/// A person's number in this database.
package typealias UserID = Int64
