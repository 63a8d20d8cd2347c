internal import Diagnostics

/// The pairs of a mapping while it is read.
struct PairList {
    private enum Entry {
        case pair(YAMLMapping.Pair)
        /// `<<` and its value.
        case merge(YAMLMapping.Pair)
    }

    private var entries: [Entry] = []
    /// By the bytes of the text, so that "é" as one scalar and as two are different keys.
    private var places: [[UInt8]: SourceRange] = [:]
    private var hasMerge = false

    /// Leaves out what has been reported: keys that are no text, and repeated ones.
    mutating func add(key: YAMLNode, value: YAMLNode, problems: inout Problems) {
        guard let scalar = key.scalar else { return }
        let name = Array(scalar.text.utf8)
        if let first = places[name] {
            problems.error(
                at: key.useRange, "the key '\(scalar.text)' is there twice",
                why: "Only one of the two values could count",
                fix: scalar.text == "<<"
                    ? "Merge several mappings with a list: '<<: [*a, *b]'" : "Remove or rename one",
                notes: [Diagnostic(.note, at: first, "it is first written here")])
            return
        }
        places[name] = key.useRange
        let pair = YAMLMapping.Pair(key: key, value: value)
        if scalar.text == "<<", scalar.style == .plain {
            hasMerge = true
            entries.append(.merge(pair))
        } else {
            entries.append(.pair(pair))
        }
    }

    /// All pairs, those of `<<` included: a key of the mapping itself wins, then the first mapping of a list
    /// (https://yaml.org/type/merge.html).
    func merged(_ problems: inout Problems) -> [YAMLMapping.Pair] {
        guard hasMerge else {
            return entries.compactMap { if case .pair(let pair) = $0 { pair } else { nil } }
        }
        var seen = Set(places.keys)
        var pairs: [YAMLMapping.Pair] = []
        for entry in entries {
            switch entry {
            case .pair(let pair): pairs.append(pair)
            case .merge(let merge):
                for mapping in sources(of: merge, &problems) {
                    for pair in mapping.pairs where seen.insert(Array(pair.name.utf8)).inserted { pairs.append(pair) }
                }
            }
        }
        return pairs
    }

    private func sources(of merge: YAMLMapping.Pair, _ problems: inout Problems) -> [YAMLMapping] {
        if let mapping = merge.value.mapping { return [mapping] }
        let nodes = merge.value.sequence ?? [merge.value]
        var mappings: [YAMLMapping] = []
        for node in nodes {
            if let mapping = node.mapping {
                mappings.append(mapping)
            } else {
                problems.error(
                    at: node.useRange, "'<<' merges \(node.typeName)", why: "It takes a mapping, or a list of mappings",
                    fix: "Write '<<: *anchor', or quote the key if it is meant as text: '\"<<\"'")
            }
        }
        return mappings
    }
}
