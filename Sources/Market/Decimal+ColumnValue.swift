public import Foundation
public import GRDB
public import RoostSupport

/// An amount or a price, stored as its digits.
extension Decimal: ColumnValue {
    @usableFromInline package static func read(_ row: Row, at index: Int) -> Decimal? {
        String.read(row, at: index).flatMap { AlertText.number($0) }
    }

    @usableFromInline package var stored: DatabaseValue { plainText.databaseValue }
}
