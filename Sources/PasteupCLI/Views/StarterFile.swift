/// A workflow file to begin with, commented for someone who has not written one.
struct StarterFile {
    enum Source: String, CaseIterable {
        case instagram, file, text, table
    }

    /// 1 to 64 letters, digits, `-` and `_`.
    let name: String
    let source: Source
    /// Owner ids of walls; nil for the account's own. Those of a table stand in its rows.
    let walls: [Int64?]
    /// Whether the photo becomes a story card.
    let hasCard: Bool
    /// Five fields of cron, or a word such as `@daily`.
    let schedule: String?

    /// - Parameter path: what the file will be called, for the comments.
    func text(path: String) -> String {
        var blocks = [head(path), inputs, accounts, steps, outputs]
        blocks.removeAll(where: \.isEmpty)
        return blocks.joined(separator: "\n") + "\n"
    }

    /// A command that runs the file in the sandbox.
    func trial(path: String) -> String {
        "pasteup run \(path) --sandbox" + given
    }

    /// What commands are given for its inputs.
    private var given: String {
        switch source {
        case .instagram: ""
        case .file: " -i photo=photo.jpg -i text=Hello"
        case .text: " -i text=Hello"
        case .table: " --input-file rows=posts.csv"
        }
    }

    // MARK: The head

    private func head(_ path: String) -> String {
        var lines = [
            "# Check it:                  pasteup validate \(path)",
            "# See what it would send:    pasteup plan \(path)" + given,
            "# Try it without an account: \(trial(path: path))", "name: \(name)", "description: \(description)",
        ]
        if let schedule {
            lines.append("# What cron is to be told; the file itself never runs by itself.")
            lines.append("schedule: \"\(schedule)\"")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private var description: String {
        let place = walls.count > 1 ? "\(walls.count) VK walls" : "a VK wall"
        switch source {
        case .instagram: return "The latest Instagram photo\(hasCard ? ", as a story card," : "") on \(place)."
        case .file: return "A photo\(hasCard ? ", as a story card," : "") and a text on \(place)."
        case .text: return "A text on \(place)."
        case .table:
            return "A post on a VK wall for each row of a table\(hasCard ? ", its picture as a story card" : "")."
        }
    }

    private var inputs: String {
        switch source {
        case .instagram: return ""
        case .file:
            return """
                # What a run is asked for: -i photo=… -i text=…
                inputs:
                  photo: { type: file, required: true, description: The photo to post }
                  text: { type: string, required: true, description: What the post says }

                """
        case .text:
            return """
                # What a run is asked for: -i text=…
                inputs:
                  text: { type: string, required: true, description: What the post says }

                """
        case .table:
            return """
                # What a run is asked for: --input-file rows=posts.csv. The first line of that file names its columns:
                #   wall,text,picture,time
                #   -12,Good morning,photo.jpg,
                #   -12,Good night,,2026-12-24 22:00
                inputs:
                  rows:
                    type: table
                    required: true
                    description: A row for each post
                    columns:
                      wall: { type: integer, required: true, description: VK owner id; negative for a community }
                      text: { type: string, required: true, description: What the post says }
                      picture: { type: file, description: A JPEG or PNG; empty for none }
                      time: { type: date, description: When VK is to publish it; empty for at once }

                """
        }
    }

    private var accounts: String {
        var lines = [
            "# Tokens stand in the environment or in ~/.config/pasteup/secrets.yaml, never here.", "accounts:",
        ]
        if source == .instagram {
            lines.append("  insta: { type: instagram, token: \"${{ secrets.INSTAGRAM_TOKEN }}\" }")
        }
        lines.append("  vk: { type: vk, token: \"${{ secrets.VK_TOKEN }}\" }")
        return lines.map { $0 + "\n" }.joined()
    }

    // MARK: Steps

    private var steps: String {
        var lines = ["# A step waits for the steps that its expressions mention.", "steps:"]
        if source == .instagram {
            lines += ["  latest:", "    uses: instagram.latest", "    with: { kinds: [image, carousel] }"]
        }
        if source == .table { return (lines + rows).map { $0 + "\n" }.joined() }
        if hasPhoto, hasCard { lines += card() }
        for (index, wall) in walls.enumerated() {
            lines += post(on: wall, suffix: walls.count > 1 ? "-\(index + 1)" : "")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private var hasPhoto: Bool { source != .text }

    /// The photo before it is made a card.
    private var photo: String {
        switch source {
        case .instagram: "${{ steps.latest.outputs.file }}"
        case .file, .text: "${{ inputs.photo }}"
        case .table: "${{ item.picture }}"
        }
    }

    private var caption: String { source == .instagram ? "${{ steps.latest.outputs.caption }}" : "${{ inputs.text }}" }

    /// - Parameter keys: what the step has beside `uses` and `with`.
    private func card(_ keys: [String] = []) -> [String] {
        [
            "  # 'pasteup steps card.compose' tells what else a card may have.", "  card:", "    uses: card.compose",
        ] + keys + [
            "    with:", "      size: 1080x1920",
            "      background: { type: gradient, top: \"#FF9500\", bottom: \"#FF3B30\" }",
            "      sticker: { image: \"\(photo)\", radius: 48, shadow: true }",
        ]
    }

    /// A post for each row, with its picture or without one.
    private var rows: [String] {
        var lines = ["  # 'for-each' carries a step out once for each row, which is 'item'."]
        let list = "    for-each: ${{ inputs.rows }}"
        if hasCard { lines += card([list, "    if: item.picture"]) }
        lines += ["  photo:", "    uses: vk.wall-photo", hasCard ? "    for-each: { of: card }" : list]
        lines += rowPost(condition: "item.picture", photo: hasCard ? "${{ steps.card.outputs.file }}" : photo)
        lines += ["  words:", "    uses: vk.wall-text", list]
        return lines + rowPost(condition: "\"!item.picture\"", photo: nil)
    }

    private func rowPost(condition: String, photo: String?) -> [String] {
        [
            "    if: \(condition)", "    # A row that has been posted is not posted again, in whatever run.",
            "    once: \(photo == nil ? "words" : "photo")/${{ item.wall }}/${{ default(item.time, 'now') }}/${{ item.text }}",
            "    with:",
            "      owner_id: ${{ item.wall }}", "      from_group: ${{ item.wall < 0 }}",
            "      message: ${{ item.text }}",
        ] + (photo.map { ["      photo: \($0)"] } ?? []) + ["      publish_date: ${{ timestamp(item.time) }}"]
    }

    /// The four calls of VK's that put a photo on a wall, or the one that posts a text.
    private func post(on wall: Int64?, suffix: String) -> [String] {
        var lines: [String] = []
        if hasPhoto {
            let file = hasCard ? "${{ steps.card.outputs.file }}" : photo
            let group = wall.flatMap { $0 < 0 ? $0.magnitude : nil }
            lines += ["  server\(suffix):", "    uses: vk.photos.getWallUploadServer"]
            if let group { lines.append("    with: { group_id: \(group) }") }
            lines += [
                "  upload\(suffix):", "    uses: vk.upload",
                "    with: { url: \"${{ steps.server\(suffix).outputs.upload_url }}\", photo: \"\(file)\" }",
                "  saved\(suffix):", "    uses: vk.photos.saveWallPhoto", "    with:",
            ]
            if let group { lines.append("      group_id: \(group)") }
            for name in ["server", "photo", "hash"] {
                lines.append("      \(name): ${{ steps.upload\(suffix).outputs.\(name) }}")
            }
        }
        lines += ["  post\(suffix):", "    uses: vk.wall.post"]
        lines.append("    # Two runs with the same key post one time only.")
        lines.append("    once: \(wall.map(String.init) ?? "own")/\(key)")
        lines.append("    with:")
        if let wall {
            lines.append("      owner_id: \(wall)")
            if wall < 0 { lines.append("      from_group: true") }
        }
        lines.append("      message: \"\(caption)\"")
        if hasPhoto { lines.append("      attachments: [\"${{ steps.saved\(suffix).outputs.attachment }}\"]") }
        return lines
    }

    private var key: String {
        switch source {
        case .instagram: "${{ steps.latest.outputs.id }}"
        case .file: "${{ inputs.photo }}/${{ inputs.text }}"
        case .text, .table: "${{ inputs.text }}"
        }
    }

    private var outputs: String {
        var lines = ["# Printed at the end.", "outputs:"]
        if source == .table {
            lines += ["photo", "words"].map { "  \($0): ${{ join(steps.\($0).outputs.*.url, ' ') }}" }
            return lines.joined(separator: "\n")
        }
        for index in walls.indices {
            let suffix = walls.count > 1 ? "-\(index + 1)" : ""
            lines.append("  url\(suffix): ${{ steps.post\(suffix).outputs.url }}")
        }
        return lines.joined(separator: "\n")
    }
}
