internal import ServiceKit
internal import StepKit
internal import Values

extension VKMethod {
    /// What VK's schema (API 5.199) says of the numbers by which a method tells whether it did its work.
    enum Confirmation: Sendable, Hashable {
        /// `base_ok_response`: 1 is the only answer.
        case ok
        /// `base_bool_response`: 1 for yes, 0 for no.
        case yesOrNo
    }

    /// Nil for a method that answers something else, for a read, and for one that the schema does not describe.
    var confirmation: Confirmation? {
        if Self.confirmedByOne.contains(name) { return .ok }
        return Self.answeredByYesOrNo.contains(name) ? .yesOrNo : nil
    }

    /// Looks whether an answer of 0 says that nothing was done.
    ///
    /// A "no" is an answer, and a warning. A 0 in place of the only answer there is is a failure; of a write that must not
    /// be done twice it is a doubt, since the schema gives it no meaning.
    ///
    /// - Throws: `StepError`.
    func checkConfirmation(_ response: Value, warn: (String) -> Void) throws {
        guard response.looseInteger == 0 || response == false else { return }
        let what = "VK's \(name) was answered with \(response.quoted)"
        switch confirmation {
        case .ok where effect == .write:
            throw StepError.inDoubt(what, why: "VK's schema knows 1 alone as its answer.")
        case .ok:
            throw StepError(
                .invalid, what, why: "1 would say that it was done: VK has not done it.",
                fix:
                    "Check that the ids are right, and that what they name is there and may be changed by this account."
            )
        case .yesOrNo: warn(what + ", which means no: VK has changed nothing")
        case nil: return
        }
    }

    private static let confirmedByOne: Set<String> = [
        "photos.confirmTag", "photos.delete", "photos.deleteAlbum", "photos.edit", "photos.editAlbum",
        "photos.editComment", "photos.makeCover", "photos.move", "photos.removeTag", "photos.reorderAlbums",
        "photos.reorderPhotos", "photos.report", "photos.reportComment", "photos.restore", "stories.banOwner",
        "stories.delete", "stories.hideAllReplies", "stories.hideReply", "stories.sendInteraction",
        "stories.unbanOwner", "wall.delete", "wall.deleteComment", "wall.editAdsStealth", "wall.editComment",
        "wall.pin", "wall.reportComment", "wall.reportPost", "wall.restore", "wall.restoreComment", "wall.unpin",
    ]

    private static let answeredByYesOrNo: Set<String> = [
        "photos.deleteComment", "photos.restoreComment", "wall.closeComments", "wall.openComments",
    ]
}
