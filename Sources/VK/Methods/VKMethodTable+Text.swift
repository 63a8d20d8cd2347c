// Made from VKCOM/vk-api-schema (wall, photos, stories; API 5.199) by VKMethodTableTests, which says how.
//
// MIT License
//
// Copyright (c) 2016 VK.com
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.
//

// swift-format-ignore-file

extension VKMethodTable {
    static let text = #"""
        wall.checkCopyrightLink u
         link s!
        wall.closeComments ug
         owner_id i!
         post_id i!
        wall.createComment ug Adds a comment to a post on a user wall or community wall.
         owner_id i User ID or community ID.
         post_id i! Post ID.
         from_group i Group ID.
         message s (Required if 'attachments' is not set.) Text of the comment.
         reply_to_comment i ID of comment to reply.
         attachments ls (Required if 'message' is not set.) List of media objects attached to the comment, in the following format: "<owner_id>_<media_id>,<owner_id>_<media_id>", '' - …
         sticker_id i Sticker ID.
         guid s Unique identifier to avoid repeated comments.
        wall.delete u Deletes a post from a user wall or community wall.
         owner_id i User ID or community ID.
         post_id i ID of the post to be deleted.
        wall.deleteComment u Deletes a comment on a post on a user wall or community wall.
         owner_id i User ID or community ID.
         post_id i Post ID.
         comment_id i! Comment ID.
        wall.edit u Edits a post on a user wall or community wall.
         owner_id i User ID or community ID.
         post_id i!
         friends_only b
         message s (Required if 'attachments' is not set.) Text of the post.
         attachments ls (Required if 'message' is not set.) List of objects attached to the post, in the following format: "<owner_id>_<media_id>,<owner_id>_<media_id>", '' - Type of …
         services s
         signed b
         publish_date t
         lat n
         long n
         place_id i
         mark_as_ads b
         close_comments b
         donut_paid_duration i
         poster_bkg_id i
         poster_bkg_owner_id i
         poster_bkg_access_hash s
         copyright s
         topic_id i Topic ID.
        wall.editAdsStealth u Allows to edit hidden post.
         owner_id i User ID or community ID.
         post_id i! Post ID.
         message s (Required if 'attachments' is not set.) Text of the post.
         attachments ls (Required if 'message' is not set.) List of objects attached to the post, in the following format: "<owner_id>_<media_id>,<owner_id>_<media_id>", '' - Type of …
         signed b Only for posts in communities with 'from_group' set to '1': '1' - post will be signed with the name of the posting user, '0' - post will not be signed …
         lat n Geographical latitude of a check-in, in degrees (from -90 to 90).
         long n Geographical longitude of a check-in, in degrees (from -180 to 180).
         place_id i ID of the location where the user was tagged.
         link_button s Link button ID
         link_title s Link title
         link_image s Link image url
         link_video s Link video ID in format "<owner_id>_<media_id>"
        wall.editComment u Edits a comment on a user wall or community wall.
         owner_id i User ID or community ID.
         post_id i Post ID.
         comment_id i! Comment ID.
         message s New comment text.
         attachments ls List of objects attached to the comment, in the following format: , "<owner_id>_<media_id>,<owner_id>_<media_id>", '' - Type of media attachment: 'photo' - …
        wall.get us Returns a list of posts on a user wall or community wall.
         domain s User or community short address.
         offset i Offset needed to return a specific subset of posts.
         count i Number of posts to return (maximum 100).
         filter s
         extended b '1' - to return 'wall', 'profiles', and 'groups' fields, '0' - to return no additional fields (default)
         fields ls
        wall.getById us Returns a list of posts from user or community walls by their IDs.
         posts ls! User or community IDs and post IDs, separated by underscores.
         extended b '1' - to return user and community objects needed to display posts, '0' - no additional fields are returned (default)
         copy_history_depth i Sets the number of parent elements to include in the array 'copy_history' that is returned if the post is a repost from another wall.
         fields ls
        wall.getComment u Returns a comment on a post on a user wall or community wall.
         owner_id i User ID or community ID.
         comment_id i! Comment ID.
         extended b
         fields ls
        wall.getComments us Returns a list of comments on a post on a user wall or community wall.
         owner_id i User ID or community ID.
         post_id i Post ID.
         need_likes b '1' - to return the 'likes' field, '0' - not to return the 'likes' field (default)
         start_comment_id i
         offset i Offset needed to return a specific subset of comments.
         count i Number of comments to return (maximum 100).
         sort c:asc,desc,smart Sort order: 'asc' - chronological, 'desc' - reverse chronological
         preview_length i Number of characters at which to truncate comments when previewed.
         extended b
         fields ls
         comment_id i Comment ID.
         thread_items_count i Count items in threads.
        wall.getReposts us Returns information about reposts of a post on user wall or community wall.
         owner_id i User ID or community ID.
         post_id i Post ID.
         offset i Offset needed to return a specific subset of reposts.
         count i Number of reposts to return.
        wall.openComments ug
         owner_id i!
         post_id i!
        wall.parseAttachedLink u
         links s!
         extended b
         fields ls
         name_case s
        wall.pin u Pins the post on wall.
         owner_id i ID of the user or community that owns the wall.
         post_id i! Post ID.
        wall.post u Adds a new post on a user wall or community wall.
         owner_id i User ID or community ID.
         friends_only b '1' - post will be available to friends only, '0' - post will be available to all users (default)
         from_group b For a community: '1' - post will be published by the community, '0' - post will be published by the user (default)
         message s (Required if 'attachments' is not set.) Text of the post.
         attachments ls (Required if 'message' is not set.) List of objects attached to the post, in the following format: "<owner_id>_<media_id>,<owner_id>_<media_id>", '' - Type of …
         services s List of services or websites the update will be exported to, if the user has so requested.
         signed b Only for posts in communities with 'from_group' set to '1': '1' - post will be signed with the name of the posting user, '0' - post will not be signed …
         publish_date t Publication date (in Unix time).
         lat n Geographical latitude of a check-in, in degrees (from -90 to 90).
         long n Geographical longitude of a check-in, in degrees (from -180 to 180).
         place_id i ID of the location where the user was tagged.
         post_id i Post ID.
         guid s
         mark_as_ads b
         link_title s
         link_photo_id s
         close_comments b
         donut_paid_duration i
         mute_notifications b
         copyright s
        wall.postAdsStealth u Allows to create hidden post which will not be shown on the community's wall and can be used for creating an ad with type "Community post".
         owner_id i! User ID or community ID.
         message s (Required if 'attachments' is not set.) Text of the post.
         attachments ls (Required if 'message' is not set.) List of objects attached to the post, in the following format: "<owner_id>_<media_id>,<owner_id>_<media_id>", '' - Type of …
         signed b Only for posts in communities with 'from_group' set to '1': '1' - post will be signed with the name of the posting user, '0' - post will not be signed …
         lat n Geographical latitude of a check-in, in degrees (from -90 to 90).
         long n Geographical longitude of a check-in, in degrees (from -180 to 180).
         place_id i ID of the location where the user was tagged.
         guid s Unique identifier to avoid duplication the same post.
         link_button s Link button ID
         link_title s Link title
         link_image s Link image url
         link_video s Link video ID in format "<owner_id>_<media_id>"
        wall.reportComment u Reports (submits a complaint about) a comment on a post on a user wall or community wall.
         owner_id i! ID of the user or community that owns the wall.
         comment_id i! Comment ID.
         reason i! Reason for the complaint: '0' - spam, '1' - child pornography, '2' - extremism, '3' - violence, '4' - drug propaganda, '5' - adult material, '6' - insult, …
        wall.reportPost u Reports (submits a complaint about) a post on a user wall or community wall.
         owner_id i! ID of the user or community that owns the wall.
         post_id i! Post ID.
         reason i! Reason for the complaint: '0' - spam, '1' - child pornography, '2' - extremism, '3' - violence, '4' - drug propaganda, '5' - adult material, '6' - insult, …
        wall.repost u Reposts (copies) an object to a user wall or community wall.
         object s! ID of the object to be reposted on the wall.
         message s Comment to be added along with the reposted object.
         group_id i Target community ID when reposting to a community.
         mark_as_ads b
         mute_notifications b
        wall.restore u Restores a post deleted from a user wall or community wall.
         owner_id i User ID or community ID from whose wall the post was deleted.
         post_id i ID of the post to be restored.
        wall.restoreComment u Restores a comment deleted from a user wall or community wall.
         owner_id i User ID or community ID.
         comment_id i! Comment ID.
        wall.search us Allows to search posts on user or community walls.
         domain s user or community screen name.
         query s search query string.
         owners_only b '1' - returns only page owner's posts.
         count i count of posts to return.
         offset i Offset needed to return a specific subset of posts.
         extended b show extended post info.
         fields ls
        wall.unpin u Unpins the post on wall.
         owner_id i ID of the user or community that owns the wall.
         post_id i! Post ID.
        photos.confirmTag u Confirms a tag on a photo.
         owner_id i ID of the user or community that owns the photo.
         photo_id s! Photo ID.
         tag_id i! Tag ID.
        photos.copy u Allows to copy a photo to the "Saved photos" album
         owner_id i! photo's owner ID
         photo_id i! photo ID
         access_key s for private photos
        photos.createAlbum u Creates an empty photo album.
         title s! Album title.
         group_id i ID of the community in which the album will be created.
         description s Album description.
         privacy_view ls
         privacy_comment ls
         upload_by_admins_only b
         comments_disabled b
        photos.createComment u Adds a new comment on the photo.
         owner_id i ID of the user or community that owns the photo.
         photo_id i! Photo ID.
         message s Comment text.
         attachments ls (Required if 'message' is not set.) List of objects attached to the post, in the following format: "<owner_id>_<media_id>,<owner_id>_<media_id>", '' - Type of …
         from_group b '1' - to post a comment from the community
         reply_to_comment i
         sticker_id i
         access_key s
         guid s
        photos.delete u Deletes a photo.
         owner_id i ID of the user or community that owns the photo.
         photo_id i Photo ID.
         photos ls
        photos.deleteAlbum u Deletes a photo album belonging to the current user.
         album_id i! Album ID.
         group_id i ID of the community that owns the album.
        photos.deleteComment u Deletes a comment on the photo.
         owner_id i ID of the user or community that owns the photo.
         comment_id i! Comment ID.
        photos.edit u Edits the caption of a photo.
         owner_id i ID of the user or community that owns the photo.
         photo_id i! Photo ID.
         caption s New caption for the photo.
         latitude n
         longitude n
         place_str s
         foursquare_id s
         delete_place b
        photos.editAlbum u Edits information about a photo album.
         album_id i! ID of the photo album to be edited.
         title s New album title.
         description s New album description.
         owner_id i ID of the user or community that owns the album.
         privacy_view ls
         privacy_comment ls
         upload_by_admins_only b
         comments_disabled b
        photos.editComment u Edits a comment on a photo.
         owner_id i ID of the user or community that owns the photo.
         comment_id i! Comment ID.
         message s New text of the comment.
         attachments ls (Required if 'message' is not set.) List of objects attached to the post, in the following format: "<owner_id>_<media_id>,<owner_id>_<media_id>", '' - Type of …
        photos.get us Returns a list of a user's or community's photos.
         owner_id i ID of the user or community that owns the photos.
         album_id s Photo album ID.
         photo_ids ls Photo IDs.
         rev b Sort order: '1' - reverse chronological, '0' - chronological
         extended b '1' - to return additional 'likes', 'comments', and 'tags' fields, '0' - (default)
         feed_type s Type of feed obtained in 'feed' field of the method.
         feed i unixtime, that can be obtained with [vk.com/dev/newsfeed.get|newsfeed.get] method in date field to get all photos uploaded by the user on a specific day, or …
         photo_sizes b '1' - to return photo sizes in a [vk.com/dev/photo_sizes|special format]
         offset i
         count i
        photos.getAlbums us Returns a list of a user's or community's photo albums.
         owner_id i ID of the user or community that owns the albums.
         album_ids li Album IDs.
         offset i Offset needed to return a specific subset of albums.
         count i Number of albums to return.
         need_system b '1' - to return system albums with negative IDs
         need_covers b '1' - to return an additional 'thumb_src' field, '0' - (default)
         photo_sizes b '1' - to return photo sizes in a
        photos.getAlbumsCount u Returns the number of photo albums belonging to a user or community.
         user_id i User ID.
         group_id i Community ID.
         need_system b
        photos.getAll u Returns a list of photos belonging to a user or community, in reverse chronological order.
         owner_id i ID of a user or community that owns the photos.
         extended b '1' - to return detailed information about photos
         offset i Offset needed to return a specific subset of photos.
         count i Number of photos to return.
         photo_sizes b '1' - to return image sizes in [vk.com/dev/photo_sizes|special format].
         no_service_albums b '1' - to return photos only from standard albums, '0' - to return all photos including those in service albums, e.g., 'My wall photos' (default)
         need_hidden b '1' - to show information about photos being hidden from the block above the wall.
         skip_hidden b '1' - not to return photos being hidden from the block above the wall.
        photos.getAllComments u Returns a list of comments on a specific photo album or all albums of the user sorted in reverse chronological order.
         owner_id i ID of the user or community that owns the album(s).
         album_id i Album ID.
         need_likes b '1' - to return an additional 'likes' field, '0' - (default)
         offset i Offset needed to return a specific subset of comments.
         count i Number of comments to return.
        photos.getById us Returns information about photos by their IDs.
         photos ls! IDs separated with a comma, that are IDs of users who posted photos and IDs of photos themselves with an underscore character between such IDs.
         extended b '1' - to return additional fields, '0' - (default)
         photo_sizes b '1' - to return photo sizes in a
        photos.getChatUploadServer ug Returns an upload link for chat cover pictures.
         chat_id i! ID of the chat for which you want to upload a cover photo.
         crop_x i
         crop_y i
         crop_width i Width (in pixels) of the photo after cropping.
        photos.getComments u Returns a list of comments on a photo.
         owner_id i ID of the user or community that owns the photo.
         photo_id i! Photo ID.
         need_likes b '1' - to return an additional 'likes' field, '0' - (default)
         start_comment_id i
         offset i Offset needed to return a specific subset of comments.
         count i Number of comments to return.
         sort c:asc,desc Sort order: 'asc' - old first, 'desc' - new first
         access_key s
         extended b
         fields ls
        photos.getMarketAlbumUploadServer u Returns the server address for market album photo upload.
         group_id i! Community ID.
        photos.getMessagesUploadServer ug Returns the server address for photo upload in a private message for a user.
         peer_id i Destination ID.
        photos.getNewTags u Returns a list of photos with tags that have not been viewed.
         offset i Offset needed to return a specific subset of photos.
         count i Number of photos to return.
        photos.getOwnerCoverPhotoUploadServer ug Returns the server address for owner cover upload.
         group_id i ID of community that owns the album (if the photo will be uploaded to a community album).
         crop_x i X coordinate of the left-upper corner
         crop_y i Y coordinate of the left-upper corner
         crop_x2 i X coordinate of the right-bottom corner
         crop_y2 i Y coordinate of the right-bottom corner
         is_video_cover b
        photos.getOwnerPhotoUploadServer u Returns an upload server address for a profile or community photo.
         owner_id i identifier of a community or current user.
        photos.getTags u Returns a list of tags on a photo.
         owner_id i ID of the user or community that owns the photo.
         photo_id i! Photo ID.
         access_key s
        photos.getUploadServer u Returns the server address for photo upload.
         album_id i
         group_id i ID of community that owns the album (if the photo will be uploaded to a community album).
        photos.getUserPhotos u Returns a list of photos in which a user is tagged.
         user_id i User ID.
         offset i Offset needed to return a specific subset of photos.
         count i Number of photos to return.
         extended b '1' - to return an additional 'likes' field, '0' - (default)
         sort s Sort order: '1' - by date the tag was added in ascending order, '0' - by date the tag was added in descending order
        photos.getWallUploadServer u Returns the server address for photo upload onto a user's wall.
         group_id i ID of community to whose wall the photo will be uploaded.
        photos.makeCover u Makes a photo into an album cover.
         owner_id i ID of the user or community that owns the photo.
         photo_id i! Photo ID.
         album_id i Album ID.
        photos.move u Moves a photo from one album to another.
         owner_id i ID of the user or community that owns the photo.
         target_album_id i! ID of the album to which the photo will be moved.
         photo_ids li!
        photos.putTag u Adds a tag on the photo.
         owner_id i ID of the user or community that owns the photo.
         photo_id i! Photo ID.
         user_id i! ID of the user to be tagged.
         x n Upper left-corner coordinate of the tagged area (as a percentage of the photo's width).
         y n Upper left-corner coordinate of the tagged area (as a percentage of the photo's height).
         x2 n Lower right-corner coordinate of the tagged area (as a percentage of the photo's width).
         y2 n Lower right-corner coordinate of the tagged area (as a percentage of the photo's height).
        photos.removeTag u Removes a tag from a photo.
         owner_id i ID of the user or community that owns the photo.
         photo_id i! Photo ID.
         tag_id i! Tag ID.
        photos.reorderAlbums u Reorders the album in the list of user albums.
         owner_id i ID of the user or community that owns the album.
         album_id i! Album ID.
         before i ID of the album before which the album in question shall be placed.
         after i ID of the album after which the album in question shall be placed.
        photos.reorderPhotos u Reorders the photo in the list of photos of the user album.
         owner_id i ID of the user or community that owns the photo.
         photo_id i! Photo ID.
         before i ID of the photo before which the photo in question shall be placed.
         after i ID of the photo after which the photo in question shall be placed.
        photos.report u Reports (submits a complaint about) a photo.
         owner_id i! ID of the user or community that owns the photo.
         photo_id i! Photo ID.
         reason i Reason for the complaint: '0' - spam, '1' - child pornography, '2' - extremism, '3' - violence, '4' - drug propaganda, '5' - adult material, '6' - insult, …
        photos.reportComment u Reports (submits a complaint about) a comment on a photo.
         owner_id i! ID of the user or community that owns the photo.
         comment_id i! ID of the comment being reported.
         reason i Reason for the complaint: '0' - spam, '1' - child pornography, '2' - extremism, '3' - violence, '4' - drug propaganda, '5' - adult material, '6' - insult, …
        photos.restore u Restores a deleted photo.
         owner_id i ID of the user or community that owns the photo.
         photo_id i! Photo ID.
        photos.restoreComment u Restores a deleted comment on a photo.
         owner_id i ID of the user or community that owns the photo.
         comment_id i! ID of the deleted comment.
        photos.save u Saves photos after successful uploading.
         album_id i ID of the album to save photos to.
         group_id i ID of the community to save photos to.
         server i Parameter returned when photos are [vk.com/dev/upload_files|uploaded to server].
         photos_list s Parameter returned when photos are [vk.com/dev/upload_files|uploaded to server].
         hash s Parameter returned when photos are [vk.com/dev/upload_files|uploaded to server].
         latitude n Geographical latitude, in degrees (from '-90' to '90').
         longitude n Geographical longitude, in degrees (from '-180' to '180').
         caption s Text describing the photo.
        photos.saveMarketAlbumPhoto u Saves market album photos after successful uploading.
         group_id i! Community ID.
         photo s! Parameter returned when photos are [vk.com/dev/upload_files|uploaded to server].
         server i! Parameter returned when photos are [vk.com/dev/upload_files|uploaded to server].
         hash s! Parameter returned when photos are [vk.com/dev/upload_files|uploaded to server].
        photos.saveMessagesPhoto ug Saves a photo after being successfully uploaded.
         photo s! Parameter returned when the photo is [vk.com/dev/upload_files|uploaded to the server].
         server i
         hash s
        photos.saveOwnerCoverPhoto ug Saves cover photo after successful uploading.
         crop_x i
         crop_height i
         crop_y i
         crop_width i
         response_json s
         hash s Parameter returned when photos are [vk.com/dev/upload_files|uploaded to server].
         photo s Parameter returned when photos are [vk.com/dev/upload_files|uploaded to server].
         is_video_cover b
        photos.saveOwnerPhoto u Saves a profile or community photo.
         server s parameter returned after [vk.com/dev/upload_files|photo upload].
         hash s parameter returned after [vk.com/dev/upload_files|photo upload].
         photo s parameter returned after [vk.com/dev/upload_files|photo upload].
        photos.saveWallPhoto u Saves a photo to a user's or community's wall after being uploaded.
         user_id i ID of the user on whose wall the photo will be saved.
         group_id i ID of community on whose wall the photo will be saved.
         photo s! Parameter returned when the the photo is [vk.com/dev/upload_files|uploaded to the server].
         server i
         hash s
         latitude n Geographical latitude, in degrees (from '-90' to '90').
         longitude n Geographical longitude, in degrees (from '-180' to '180').
         caption s Text describing the photo.
        photos.search us Returns a list of photos.
         q s Search query string.
         lat n Geographical latitude, in degrees (from '-90' to '90').
         long n Geographical longitude, in degrees (from '-180' to '180').
         start_time t
         end_time t
         sort i Sort order:
         offset i Offset needed to return a specific subset of photos.
         count i Number of photos to return.
         radius i Radius of search in meters (works very approximately).
        stories.banOwner u Allows to hide stories from chosen sources from current user's feed.
         owners_ids li! List of sources IDs
        stories.delete ug Allows to delete story.
         owner_id i Story owner's ID.
         story_id i Story ID.
         stories ls
        stories.get ug Returns stories available for current user.
         owner_id i Owner ID.
         extended b '1' - to return additional fields for users and communities.
         fields ls
        stories.getBanned u Returns list of sources hidden from current user's feed.
         extended b '1' - to return additional fields for users and communities.
         fields ls Additional fields to return
        stories.getById ug Returns story by its ID.
         stories ls! Stories IDs separated by commas.
         extended b '1' - to return additional fields for users and communities.
         fields ls Additional fields to return
        stories.getDetailedStats u
         owner_id i!
         story_id i!
        stories.getPhotoUploadServer ug Returns URL for uploading a story with photo.
         add_to_news b 1 - to add the story to friend's feed.
         user_ids li List of users IDs who can see the story.
         reply_to_story s ID of the story to reply with the current.
         link_text s Link text (for community's stories only).
         link_url s Link URL.
         group_id i ID of the community to upload the story (should be verified or with the "fire" icon).
         clickable_stickers s
        stories.getReplies ug Returns replies to the story.
         owner_id i! Story owner ID.
         story_id i! Story ID.
         access_key s Access key for the private object.
         extended b '1' - to return additional fields for users and communities.
         fields ls Additional fields to return
        stories.getStats ug Returns stories available for current user.
         owner_id i! Story owner ID.
         story_id i! Story ID.
        stories.getVideoUploadServer ug Allows to receive URL for uploading story with video.
         add_to_news b 1 - to add the story to friend's feed.
         user_ids li List of users IDs who can see the story.
         reply_to_story s ID of the story to reply with the current.
         link_text s Link text (for community's stories only).
         link_url s Link URL.
         group_id i ID of the community to upload the story (should be verified or with the "fire" icon).
         clickable_stickers s
        stories.getViewers ug Returns a list of story viewers.
         owner_id i Story owner ID.
         story_id i! Story ID.
         count i Maximum number of results.
         offset i Offset needed to return a specific subset of results.
         extended b '1' - to return detailed information about photos
         fields ls
        stories.hideAllReplies ug Hides all replies in the last 24 hours from the user to current user's stories.
         owner_id i! ID of the user whose replies should be hidden.
         group_id i
        stories.hideReply ug Hides the reply to the current user's story.
         owner_id i! ID of the user whose replies should be hidden.
         story_id i! Story ID.
        stories.save ug
         upload_results ls
         upload_results_json s
         extended b
         fields ls
        stories.search u
         q s
         place_id i
         latitude n
         longitude n
         radius i
         mentioned_id i
         count i
         extended b
         fields ls
        stories.sendInteraction s
         access_key s!
         message s
         is_broadcast b
         is_anonymous b
         unseen_marker b
        stories.unbanOwner u Allows to show stories from hidden sources in current user's feed.
         owners_ids li! List of hidden sources to show stories from.
        """#
}
