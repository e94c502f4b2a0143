/// Changes of files in the simulated pull requests, as GitHub sends them: unified diffs without a header.
enum PatchBank {
    static let all: [SimulatedFile] = [
        SimulatedFile(
            path: "Sources/Engine/Carry.swift", status: .modified, additions: 8, deletions: 2,
            patch: patches[0]),
        SimulatedFile(
            path: "docs/engine.md", status: .modified, additions: 4, deletions: 1, patch: patches[1]),
        SimulatedFile(
            path: "web/src/tides/useTides.ts", status: .modified, additions: 17, deletions: 4,
            patch: patches[2]),
        SimulatedFile(
            path: "scripts/tables.py", status: .modified, additions: 18, deletions: 12, patch: patches[3]),
        SimulatedFile(
            path: ".github/workflows/ci.yml", status: .modified, additions: 19, deletions: 5,
            patch: patches[4]),
        SimulatedFile(
            path: "Tests/EngineTests/CarryTests.swift", status: .added, additions: 18, deletions: 0,
            patch: patches[5]),
        SimulatedFile(
            path: "web/src/tides/legacy.ts", status: .removed, additions: 0, deletions: 10, patch: patches[6]),
        SimulatedFile(
            path: "config/settings.yaml", status: .modified, additions: 3, deletions: 2, patch: patches[7]),
        SimulatedFile(path: "README.md", status: .modified, additions: 1, deletions: 1, patch: patches[8]),
    ]

    private static let patches = [
        #"""
        @@ -9,11 +9,17 @@
             }
         
             mutating func add(_ other: [Int]) {
        +        var carry = 0
                 for index in digits.indices {
        -            digits[index] += other[index]
        -            if digits[index] > 9 { digits[index] -= 10 }
        +            let sum = digits[index] + (index < other.count ? other[index] : 0) + carry
        +            digits[index] = sum % 10
        +            carry = sum / 10
                 }
        +        // The last wheel has no neighbour: the engine rings its bell instead.
        +        if carry > 0 { hasOverflow = true }
             }
         
        +    /// True after a sum with more digits than wheels.
        +    private(set) var hasOverflow = false
             var value: Int { digits.reversed().reduce(0) { $0 * 10 + $1 } }
         }
        """#,
        #"""
        @@ -2,7 +2,10 @@
         
         Numbers have forty digits. The mill adds them from right to left.
         
        -Numbers that are too long are cut.
        +A number that is too long rings the bell:
        +
        +- `hasOverflow` is true until the next card
        +- the digits are what the wheels show
         
         ## Cards
         
        """#,
        #"""
        @@ -1,12 +1,25 @@
         import { useEffect, useState } from "react";
         import { fetchTides, type Tide } from "./api";
         
        -export function useTides(station: string): Tide[] {
        -  const [tides, setTides] = useState<Tide[]>([]);
        +type State =
        +  | { kind: "loading" }
        +  | { kind: "loaded"; tides: Tide[] }
        +  | { kind: "failed"; message: string };
        +
        +/** Loads a station's tides, and forgets the answer for the previous station. */
        +export function useTides(station: string): State {
        +  const [state, setState] = useState<State>({ kind: "loading" });
         
           useEffect(() => {
        -    fetchTides(station).then(setTides);
        +    const abort = new AbortController();
        +    setState({ kind: "loading" });
        +    fetchTides(station, { signal: abort.signal })
        +      .then((tides) => setState({ kind: "loaded", tides }))
        +      .catch((error: unknown) => {
        +        if (!abort.signal.aborted) setState({ kind: "failed", message: `${error}` });
        +      });
        +    return () => abort.abort();
           }, [station]);
         
        -  return tides;
        +  return state;
         }
        """#,
        #"""
        @@ -1,23 +1,29 @@
         """Prints the tide tables of a year."""
        +
        +from __future__ import annotations
         
         import csv
         import sys
        +from dataclasses import dataclass
        +from pathlib import Path
         
         
        -def read(path):
        -    rows = []
        -    for row in csv.reader(open(path)):
        -        rows.append((row[0], float(row[1])))
        -    return rows
        +@dataclass(frozen=True)
        +class Reading:
        +    """A height in metres above chart datum."""
        +
        +    at: str
        +    height: float
         
         
        -def highest(rows):
        -    best = rows[0]
        -    for row in rows:
        -        if row[1] > best[1]:
        -            best = row
        -    return best
        +def read(path: Path) -> list[Reading]:
        +    with path.open(newline="", encoding="utf-8") as file:
        +        return [Reading(at, float(height)) for at, height, *_ in csv.reader(file)]
        +
        +
        +def highest(readings: list[Reading]) -> Reading | None:
        +    return max(readings, key=lambda reading: reading.height, default=None)
         
         
         if __name__ == "__main__":
        -    print(highest(read(sys.argv[1])))
        +    print(highest(read(Path(sys.argv[1]))) or "no readings")
        """#,
        #"""
        @@ -1,10 +1,24 @@
         name: CI
        -on: [push, pull_request]
        +on:
        +  push:
        +    branches: [main]
        +  pull_request:
        +
        +permissions:
        +  contents: read
         
         jobs:
           test:
        -    runs-on: ubuntu-22.04
        +    strategy:
        +      matrix:
        +        os: [ubuntu-24.04, macos-15]
        +    runs-on: ${{ matrix.os }}
        +    timeout-minutes: 20
             steps:
        -      - uses: actions/checkout@v3
        -      - run: swift build
        -      - run: swift test
        +      - uses: actions/checkout@v4
        +      - uses: actions/cache@v4
        +        with:
        +          path: .build
        +          key: ${{ runner.os }}-${{ hashFiles('Package.resolved') }}
        +      - run: swift build --build-tests
        +      - run: swift test --skip-build
        """#,
        #"""
        @@ -0,0 +1,18 @@
        +import Testing
        +
        +@testable import Engine
        +
        +@Suite struct CarryTests {
        +    @Test func `nines carry to the next wheel`() {
        +        var carry = Carry([9, 9, 0])
        +        carry.add([1, 0, 0])
        +        #expect(carry.value == 100)
        +        #expect(!carry.hasOverflow)
        +    }
        +
        +    @Test func `the last wheel rings the bell`() {
        +        var carry = Carry([9, 9, 9])
        +        carry.add([1])
        +        #expect(carry.value == 0 && carry.hasOverflow)
        +    }
        +}
        """#,
        #"""
        @@ -1,10 +0,0 @@
        -// Kept for the old chart. Remove with version 4.
        -export function parseTides(text: string) {
        -  return text
        -    .split("\n")
        -    .filter((line) => line && !line.startsWith("#"))
        -    .map((line) => {
        -      const [time, height] = line.split(";");
        -      return { time: new Date(time), height: Number(height) };
        -    });
        -}
        """#,
        #"""
        @@ -1,6 +1,7 @@
         cache:
        -  seconds: 300
        +  seconds: 900
           directory: /var/cache/tiles
        +  maximum: 2GB
         
         log:
        -  level: debug
        +  level: info
        """#,
        #"""
        @@ -1,6 +1,6 @@
         # Analytical engine
         
        -Computes what can be computed.
        +Computes what can be computed, and says so when it cannot.
         
         ## Start
         
        """#,
    ]
}
