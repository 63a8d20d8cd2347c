"""Does VK jobs with the client library vk_api, unmodified but for its host, against a stand-in.

Usage: vk_client.py BASE_URL JOB FOLDER; the token comes in VK_TOKEN. Prints what came of the job as JSON.
"""

import json
import os
import sys
import urllib.parse

import requests
import vk_api

base, job, folder = sys.argv[1:4]


class Host(requests.adapters.HTTPAdapter):
    """Sends what is meant for VK's hosts to the stand-in."""

    def send(self, request, **options):
        for host in ("https://api.vk.ru", "https://api.vk.com"):
            if request.url.startswith(host + "/"):
                request.url = base + request.url[len(host):]
        return super().send(request, **options)


def redirected(session):
    session.mount("https://", Host())
    return session


texts = os.environ.get("TEXTS", "").split()


def captcha(challenge):
    """Clicks the page where there is one, else loads the picture and types the next text."""
    if challenge.redirect_uri:
        page = urllib.parse.urlsplit(challenge.redirect_uri)
        token = urllib.parse.parse_qs(page.query)["session_token"][0]
        clicked = requests.post(base + page.path + "/check", data={"session_token": token})
        return challenge.try_again(success_token=clicked.json()["success_token"])
    assert challenge.get_image()[1:4] == b"PNG"
    return challenge.try_again(texts.pop(0))


session = vk_api.VkApi(token=os.environ["VK_TOKEN"], api_version="5.199", captcha_handler=captcha)
redirected(session.http)
vk = session.get_api()
upload = vk_api.VkUpload(session)
path = os.path.join(folder, "one.jpg")

if job == "wall-photo":
    photo = upload.photo_wall(path, group_id=226100401, caption="Суп")[0]
    name = "photo{owner_id}_{id}_{access_key}".format(**photo)
    answer = vk.wall.post(
        owner_id=-226100401, from_group=1, message="Суп & хлеб = 100% ☕️\nвторая строка",
        attachments=name + ",https://example.org/menu")
elif job == "captcha":
    try:
        answer = vk.wall.post(message="Hello")
    except KeyError as error:
        answer = {"missing": error.args[0]}
elif job == "document":
    saved = upload.document_wall(os.path.join(folder, "menu.pdf"), title="Menu", group_id=226100401)
    answer = vk.wall.post(owner_id=-226100401, attachments="doc{owner_id}_{id}".format(**saved["doc"]))
elif job == "album":
    answer = upload.photo([path, path], album_id=int(os.environ["ALBUM"]), group_id=226100401)
elif job == "story":
    uploaded = upload.story(path, "photo", group_id=226100401).json()
    answer = vk.stories.save(upload_results=uploaded["response"]["upload_result"])
elif job == "errors":
    codes = []
    for method, values in (("wall.pots", {}), ("wall.post", {}), ("wall.delete", {"post_id": 99})):
        try:
            session.method(method, values)
        except vk_api.ApiError as error:
            codes.append(error.code)
    answer = codes
elif job == "execute":
    with vk_api.VkRequestsPool(session) as pool:
        results = [pool.method("utils.getServerTime"), pool.method("wall.delete", {"post_id": 99})]
    answer = [results[0].result > 0, results[1].error["error_code"]]
print(json.dumps(answer, ensure_ascii=False))
