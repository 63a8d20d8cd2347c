extension Int64 {
    /// The id with the other sign: a community's as an owner's, and back. The lowest number has none; it becomes the
    /// highest, which nobody's id is.
    var opposite: Int64 { self == .min ? .max : -self }
}
