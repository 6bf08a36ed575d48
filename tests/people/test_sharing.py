"""Share: the end card to show elsewhere, for one reader, as a plain picture with words to copy."""

from __future__ import annotations

from pathlib import Path

from bot.show.kit.layout import DOTS
from tests.support.message_text import private_reply
from tests.support.world import SHORT_HANDS, world

HINT = "Share it anywhere: save the picture, copy the words."


async def test_an_end_card_is_shared_as_a_picture_with_text_to_copy(tmp_path: Path) -> None:
    async with world(tmp_path, deal=SHORT_HANDS, pictures=True) as here:
        table = await here.start_table("ben", hands=1)
        await here.play_hand(table)
        before = here.channel_texts(table)
        here.locales["cleo"] = "zh-TW"
        for name, hint, game in (("ben", HINT, "Big Two"), ("cleo", "可以拿去給別人看", "大老二")):
            dots = await here.press(name, table, DOTS)
            for verb in (":share", ":keep_end"):
                there = private_reply(dots).buttons.items()
                given = await here.press_on(name, dots, next(label for label, (to, _) in there if to.endswith(verb)))
            assert given.response is not None
            assert given.response.ephemeral
            (file,) = given.response.attachments
            assert file.filename.endswith(".png")
            assert given.response.content.startswith(hint)
            assert f"\n{game}\n1. " in given.response.content
            assert given.response.content.count("```") == 2
        assert here.channel_texts(table) == before, "nothing of it is public"


async def test_sharing_falls_back_to_text_and_is_refused_before_the_end(tmp_path: Path) -> None:
    async with world(tmp_path, deal=SHORT_HANDS, pictures=True) as here:
        table = await here.start_table("ben", hands=2)
        dots = await here.press("ben", table, DOTS)
        assert "Share…" not in private_reply(dots).buttons
        no = await here.forge(here.people["ben"], dots, f"bg:{table.id}:share")
        assert private_reply(no).text == "You can only share the end of a match."
        await here.play_hand(table)
        for name in ("ann", "ben"):
            await here.press(name, table, "Ready")
        await here.play_hand(table)
        end = await here.press("ben", table, DOTS)
        await here.set_bot_permissions(here.channel, attach_files=False)
        await here.press_on("ben", end, "Share…")
        given = await here.press_on("ben", end, "Only for me")
        assert given.response is not None
        assert not given.response.attachments
        assert given.response.content.startswith(HINT)
