internal import StepKit

extension WallPost {
    /// Those of VK's schema but `guid`, which is ours to set, and those that VK has added since.
    static let parameters = [
        Parameter("owner_id", .integer, "Whose wall: a user's id, or a community's as a negative one; else the own."),
        Parameter("from_group", .boolean, "On a community's wall: post as the community, not as the user."),
        Parameter("message", .string, "The text; needed unless there are attachments."),
        Parameter(
            "attachments", .list(.string),
            "Up to 10 media as photo1_2 or photo1_2_key, and one link; needed unless there is a message."),
        Parameter("friends_only", .boolean, "On a user's wall: for friends only."),
        Parameter("signed", .boolean, "With 'from_group': show the author's name."),
        Parameter(
            "publish_date", .time, "When the post is to appear; makes it a scheduled one."),
        Parameter(
            "post_id", .integer, "A scheduled or suggested post to publish now; all but 'owner_id' is then ignored."),
        Parameter("close_comments", .boolean, "Without comments."),
        Parameter("mute_notifications", .boolean, "Without a notice to the subscribers."),
        Parameter("copyright", .string, "The address of the source."),
        Parameter("lat", .number, "The place: degrees of latitude, -90 to 90."),
        Parameter("long", .number, "The place: degrees of longitude, -180 to 180."),
        Parameter("place_id", .integer, "The place, by VK's id."),
        Parameter("mark_as_ads", .boolean, "Mark it as advertising."),
        Parameter("primary_attachments_mode", .choice(["grid", "carousel"]), "How several photos are laid out."),
        Parameter("photo_attachments_crop", .any, "How photos of a carousel are cropped, in VK's own form."),
        Parameter("link_title", .string, "The title of the attached link."),
        Parameter("link_photo_id", .string, "The picture of the attached link."),
        Parameter("donut_paid_duration", .integer, "For paying subscribers: seconds, or -1 for ever."),
        Parameter("topic_id", .integer, "The topic, by VK's number."),
        Parameter(
            "verify", .boolean,
            "Reads the post back, where the token may; a medium that VK has dropped is asked about."),
        Parameter("services", .string, "Other services to export to (old)."),
    ]
}
