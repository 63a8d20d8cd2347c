internal import CYAML

/// A place as libyaml tells it, counted from 1.
struct Mark: Hashable {
    let line: Int
    /// In Unicode scalars.
    let column: Int

    init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    fileprivate init(_ mark: yaml_mark_t) {
        line = Int(mark.line) + 1
        column = Int(mark.column) + 1
    }
}

/// What libyaml found wrong, in its own words.
struct SyntaxFault: Error {
    let problem: String
    /// Where libyaml stopped: at the fault or after it.
    let place: Mark
    /// What it was reading: "while parsing a flow mapping"; empty when it did not say.
    let context: String
    /// Where that began.
    let contextPlace: Mark?
}

/// One step of libyaml's walk through a document.
struct Event {
    enum Kind {
        case documentStart, documentEnd, streamEnd
        case alias(String)
        case scalar(String, YAMLScalar.Style)
        case sequenceStart, sequenceEnd, mappingStart, mappingEnd
    }

    let kind: Kind
    var anchor: String?
    var tag: String?
    /// Of a collection written with brackets or braces.
    var isFlow = false
    let start: Mark
    let end: Mark
}

/// Reads UTF-8 without a byte order mark through libyaml's event interface.
final class EventReader {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    /// libyaml reads from here until the reader goes.
    private let input: UnsafeMutableBufferPointer<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        input = .allocate(capacity: bytes.count)
        _ = input.initialize(from: bytes)
        parser = .allocate(capacity: 1)
        parser.initialize(to: yaml_parser_t())
        precondition(yaml_parser_initialize(parser) == 1, "yaml_parser_initialize: out of memory")
        yaml_parser_set_input_string(parser, input.baseAddress, input.count)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        input.deallocate()
    }

    /// The next event; after `streamEnd` or an error there is none.
    func next() throws(SyntaxFault) -> Event {
        while true {
            var event = yaml_event_t()
            guard yaml_parser_parse(parser, &event) == 1 else { throw fault() }
            defer { yaml_event_delete(&event) }
            if event.type != YAML_STREAM_START_EVENT { return Self.copy(event) }
        }
    }

    private func fault() -> SyntaxFault {
        let state = parser.pointee
        let hasContext = state.context != nil
        return SyntaxFault(
            problem: state.problem.map { String(cString: $0) } ?? "out of memory", place: Mark(state.problem_mark),
            context: state.context.map { String(cString: $0) } ?? "",
            contextPlace: hasContext ? Mark(state.context_mark) : nil)
    }

    private static func copy(_ event: yaml_event_t) -> Event {
        let start = Mark(event.start_mark)
        let end = Mark(event.end_mark)
        let data = event.data
        switch event.type {
        case YAML_DOCUMENT_START_EVENT: return Event(kind: .documentStart, start: start, end: end)
        case YAML_DOCUMENT_END_EVENT: return Event(kind: .documentEnd, start: start, end: end)
        case YAML_ALIAS_EVENT:
            return Event(kind: .alias(text(data.alias.anchor) ?? ""), start: start, end: end)
        case YAML_SCALAR_EVENT:
            let content = UnsafeBufferPointer(start: data.scalar.value, count: data.scalar.length)
            return Event(
                kind: .scalar(String(decoding: content, as: UTF8.self), style(data.scalar.style)),
                anchor: text(data.scalar.anchor), tag: text(data.scalar.tag), start: start, end: end)
        case YAML_SEQUENCE_START_EVENT:
            return Event(
                kind: .sequenceStart, anchor: text(data.sequence_start.anchor), tag: text(data.sequence_start.tag),
                isFlow: data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE, start: start, end: end)
        case YAML_SEQUENCE_END_EVENT: return Event(kind: .sequenceEnd, start: start, end: end)
        case YAML_MAPPING_START_EVENT:
            return Event(
                kind: .mappingStart, anchor: text(data.mapping_start.anchor), tag: text(data.mapping_start.tag),
                isFlow: data.mapping_start.style == YAML_FLOW_MAPPING_STYLE, start: start, end: end)
        case YAML_MAPPING_END_EVENT: return Event(kind: .mappingEnd, start: start, end: end)
        default: return Event(kind: .streamEnd, start: start, end: end)
        }
    }

    private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        pointer.map { String(cString: $0) }
    }

    private static func style(_ style: yaml_scalar_style_t) -> YAMLScalar.Style {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE: .literal
        case YAML_FOLDED_SCALAR_STYLE: .folded
        default: .plain
        }
    }
}
