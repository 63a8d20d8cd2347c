internal import Diagnostics
internal import Files
internal import Glibc
internal import Threading

/// A time zone of the IANA database, as the system's TZif files tell it.
public struct TimeZone: Sendable, Hashable {
    /// As it was asked for: "Europe/Moscow".
    public let name: String
    /// Instants, in seconds since 1970, from which the kind of time at the same position holds; ascending.
    private let transitions: [Int64]
    private let kinds: [TimeKind]
    /// What holds before the first transition, or always.
    private let first: TimeKind
    /// What holds after the last transition; nil where the last kind stays.
    private let rule: ZoneRule?

    init(name: String, transitions: [Int64] = [], kinds: [TimeKind] = [], first: TimeKind, rule: ZoneRule? = nil) {
        self.name = name
        self.transitions = transitions
        self.kinds = kinds
        self.first = first
        self.rule = rule
    }

    public static let utc = TimeZone(name: "UTC", first: TimeKind(offset: 0, isSummer: false, abbreviation: "UTC"))

    /// How clocks are set at an instant.
    ///
    /// - Parameter seconds: since 1970, in UTC.
    public func kind(at seconds: Int64) -> TimeKind {
        // Beyond the years that are written nothing changes.
        let seconds = min(max(seconds, -62_200_000_000), 253_500_000_000)
        guard let last = transitions.last, let earliest = transitions.first else {
            return rule?.kind(at: seconds) ?? first
        }
        if seconds < earliest { return first }
        if seconds >= last { return rule?.kind(at: seconds) ?? kinds[kinds.count - 1] }
        var low = 0
        var high = transitions.count
        // transitions[low] <= seconds < transitions[high]
        while high - low > 1 {
            let middle = (low + high) / 2
            if transitions[middle] <= seconds { low = middle } else { high = middle }
        }
        return kinds[low]
    }

    /// What a clock in the zone shows; nil outside the years 1 to 9999.
    public func time(at seconds: Int64) -> CivilTime? {
        let (sum, overflows) = seconds.addingReportingOverflow(Int64(kind(at: seconds).offset))
        return overflows ? nil : CivilTime(seconds: sum)
    }

    /// The instant at which a clock in the zone shows this, in seconds since 1970.
    ///
    /// Of a time that comes twice, when clocks are set back, the first counts. A time that is skipped, when they are set
    /// forward, is read off a clock that was not: 02:30 means what others then call 03:30 (RFC 5545, section 3.3.5, has
    /// both rules).
    public func seconds(of time: CivilTime) -> Int64 {
        let local = time.seconds
        // No zone lies further than 26 hours from another, so the offsets before and after are found there.
        let before = kind(at: local - 93_600).offset
        let candidates = [before, kind(at: local).offset, kind(at: local + 93_600).offset]
            .map { local - Int64($0) }.filter { $0 + Int64(kind(at: $0).offset) == local }
        return candidates.min() ?? local - Int64(before)
    }
}

/// How clocks are set for a while.
public struct TimeKind: Sendable, Hashable {
    /// Seconds east of Greenwich.
    public let offset: Int
    public let isSummer: Bool
    /// "MSK", "CEST"; "+04" where people have none.
    public let abbreviation: String
}

/// Why a zone cannot be had.
public struct TimeZoneError: Error, Sendable, Hashable {
    /// As a clause: "there is no time zone 'Europe/Mosow'".
    public let message: String
    /// A sentence on how to mend it.
    public let fix: String?
}

extension TimeZone {
    /// Where systems keep TZif files.
    private static let folders = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo"]
    private static let known = Locked<[String: TimeZone]>([:])

    /// The zone of that name in the system's database; "UTC" is always there.
    public static func named(_ name: String) throws(TimeZoneError) -> TimeZone {
        if name == "UTC" { return utc }
        if let zone = known.withLock({ $0[name] }) { return zone }
        let zone = try read(name, folders: folders)
        known.withLock { $0[name] = zone }
        return zone
    }

    /// - Parameter folders: where to look, in this order.
    static func read(_ name: String, folders: [String]) throws(TimeZoneError) -> TimeZone {
        guard isName(name) else {
            throw TimeZoneError(
                message: "there is no time zone '\(name)'", fix: "Write a name such as 'Europe/Moscow' or 'UTC'.")
        }
        for folder in folders {
            guard let bytes = try? FileSystem.read(FileSystem.join(folder, name), maxBytes: 1 << 20, regularOnly: true)
            else { continue }
            guard let zone = TZif(bytes)?.zone(name) else {
                throw TimeZoneError(
                    message: "the system's file of the time zone '\(name)' is damaged", fix: "Install tzdata anew.")
            }
            return zone
        }
        guard folders.contains(where: FileSystem.isFolder) else {
            throw TimeZoneError(
                message: "the time zone '\(name)' is not known, as this machine has no database of them",
                fix: "Install the package tzdata.")
        }
        throw TimeZoneError(
            message: "there is no time zone '\(name)'",
            fix: near(name, folders: folders).map { "Did you mean '\($0)'?" }
                ?? (isAbbreviation(name.uppercased())
                    ? "An abbreviation names no zone here: write a place, as in 'Europe/Moscow'." : nil)
                ?? "Names are those of the IANA database: 'Europe/Moscow', 'UTC'; see 'timedatectl list-timezones'.")
    }

    /// The machine's zone: the one that the environment's `TZ` means, UTC where it means none; without that variable
    /// that of `/etc/localtime`, else UTC. So the C library has it, too.
    public static let machine: TimeZone = {
        if let variable = getenv("TZ") { return meant(byVariable: String(cString: variable)) ?? utc }
        guard let bytes = try? FileSystem.read("/etc/localtime", maxBytes: 1 << 20, regularOnly: true),
            let zone = TZif(bytes)?.zone("local time")
        else { return utc }
        return zone
    }()

    /// The zone that a value of the variable `TZ` means (tzset(3)): a name, the path of a TZif file, or a rule such as
    /// "MSK-3", with or without a colon before it; nothing means UTC. Nil for anything else.
    public static func meant(byVariable value: String) -> TimeZone? {
        let name = value.hasPrefix(":") ? String(value.dropFirst()) : value
        if name.isEmpty { return utc }
        if let zone = try? named(name) { return zone }
        if name.hasPrefix("/") {
            return (try? FileSystem.read(name, maxBytes: 1 << 20, regularOnly: true)).flatMap { TZif($0)?.zone(name) }
        }
        return ZoneRule(name).map { TimeZone(name: name, first: $0.kind(at: 0), rule: $0) }
    }

    /// Whether it may be a path below a folder of zones.
    static func isName(_ name: String) -> Bool {
        name.utf8.count <= 64
            && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
                !part.isEmpty
                    && part.utf8.allSatisfy {
                        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || "_+-".utf8.contains($0)
                    }
            }
    }

    /// Whether it is short and in capitals, as "MSK". What is near to it tells nothing: "MST" is ten hours away.
    private static func isAbbreviation(_ name: String) -> Bool {
        (2...5).contains(name.utf8.count) && name.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }

    /// A name of the database that differs by little: in the same area, or a city without its area.
    private static func near(_ name: String, folders: [String]) -> String? {
        guard let folder = folders.first(where: FileSystem.isFolder) else { return nil }
        let parts = name.split(separator: "/").map(String.init)
        let city = parts[parts.count - 1]
        let areas = (try? FileSystem.list(folder)) ?? []
        if parts.count > 1 {
            guard let area = nearest(parts[0], among: areas),
                let found = nearest(city, among: (try? FileSystem.list(FileSystem.join(folder, area))) ?? [])
            else { return nil }
            return "\(area)/\(found)"
        }
        for area in ["Europe", "Asia", "America", "Africa", "Australia", "Pacific", "Atlantic", "Indian"] {
            let cities = (try? FileSystem.list(FileSystem.join(folder, area))) ?? []
            if let found = cities.first(where: { $0.lowercased() == city.lowercased() }) { return "\(area)/\(found)" }
        }
        return nearest(city, among: areas.filter { !$0.contains(".") && (!isAbbreviation($0) || $0 == utc.name) })
    }
}
