internal import Files
internal import HTTP
internal import StoryCard
internal import Threading
internal import TimeZones
internal import Values

/// Whether the machine has what pasteup works with: a clock, zones, fonts, and libcurl with TLS.
struct MachineChecks {
    let environment: [String: String]
    let now: Timestamp

    func findings() async -> [Finding] {
        [MachineChecks.clock(now), zones] + ownZone + [await fonts(), fontCache, MachineChecks.transport(.current)]
    }

    /// Years outside 2025…2099 are a clock that has lost its time: run ids sort wrongly and certificates are refused.
    static func clock(_ now: Timestamp) -> Finding {
        let year = Int(now.iso8601.prefix(4)) ?? 0
        guard (2025..<2100).contains(year) else {
            return Finding(
                "clock", .error, "the clock says \(now.iso8601)",
                fix: "Set it, or let it be set: timedatectl set-ntp true")
        }
        return Finding("clock", .ok, "it is \(now.localText) here, \(now.iso8601)")
    }

    /// `timezone:` and `date()` name zones, which are read from the system's files (tzset(3): `$TZDIR`).
    private var zones: Finding {
        let folder = environment["TZDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/share/zoneinfo"
        guard FileSystem.exists(FileSystem.join(folder, "Europe/Moscow")) else {
            return Finding(
                "time zones", .warning, "'\(folder)' has no zones: only UTC can be named in workflows",
                fix: "Install them (on Debian: apt install tzdata).")
        }
        return Finding("time zones", .ok, "in '\(folder)'")
    }

    /// A zone that `TZ` spells wrongly is UTC, without a word from anybody.
    private var ownZone: [Finding] {
        guard let value = environment["TZ"], TimeZone.meant(byVariable: value) == nil else { return [] }
        return [
            Finding(
                "own zone", .warning,
                "TZ is '\(shown(value))', which is no time zone: times that name none are read and shown in UTC",
                fix: "Write a name such as TZ=Europe/Moscow, or leave it out")
        ]
    }

    /// Composes a small card whose letters need what most cards need: Latin, Cyrillic, an emoji.
    private func fonts() async -> Finding {
        let spec = CardSpec(
            size: CardSize(width: 360, height: 640), format: .png, background: .color(.bareBackground),
            texts: [CardText("Photo Фото \u{1F4F7}", at: .center, font: "Noto Sans 24")])
        let composed: ComposedCard
        do { composed = try await offPool(stackBytes: 8 << 20) { try CardComposer.compose(spec) } } catch {
            return Finding("fonts", .error, "no card can be composed: \(error)", fix: MachineChecks.fontFix)
        }
        guard let first = composed.warnings.first else {
            return Finding("fonts", .ok, "Noto Sans and an emoji font are there")
        }
        return Finding("fonts", .warning, first.withoutFullStop, fix: MachineChecks.fontFix)
    }

    private static let fontFix = "On Debian: apt install fonts-noto-core fonts-noto-color-emoji"

    /// Without a folder for its cache, fontconfig reads every font anew in each process.
    private var fontCache: Finding {
        var folders: [String] = []
        if let base = environment["XDG_CACHE_HOME"], base.hasPrefix("/") {
            folders.append(FileSystem.join(base, "fontconfig"))
        } else if let home = environment["HOME"], !home.isEmpty {
            folders.append(FileSystem.join(home, ".cache/fontconfig"))
        }
        folders.append("/var/cache/fontconfig")
        for folder in folders where FileSystem.isWritable(StateChecks.nearest(folder)) {
            return Finding("font cache", .ok, "'\(folder)' can be written")
        }
        return Finding(
            "font cache", .warning, "no folder for fontconfig's cache can be written: every card takes longer",
            fix: "Set XDG_CACHE_HOME to a folder that can be written.")
    }

    static func transport(_ facts: TransportFacts) -> Finding {
        guard let tls = facts.tls else {
            return Finding(
                "libcurl", .error, "libcurl \(facts.version) has no TLS: no service can be reached",
                fix: "Install one that has (on Debian: apt install libcurl4).")
        }
        let places = facts.certificatePlaces
        guard places.isEmpty || places.contains(where: FileSystem.exists) else {
            return Finding(
                "libcurl", .error, "there are no certificates to trust at \(places.joined(separator: " or "))",
                fix: "Install them (on Debian: apt install ca-certificates).")
        }
        return Finding("libcurl", .ok, "libcurl \(facts.version) with \(tls)")
    }
}
