"""English scope cues, by kind; parted by commas, folded. Whole words only."""

CUES: dict[str, str] = {
    "skip": """
        not only, not just, not necessarily only, no doubt, no more than, no less than, not more than, not less than,
        no later than, no matter, no wonder, no longer than, not to mention, can't wait, cannot but, can't help but,
        no fewer than, none other, without doubt, without a doubt, why not, not least, like to, would like,
        looks like, feel like, should you, like yours, never mind, if not, as if, what if, whether or not, likely,
        unlikely event, one thing
    """,
    "neg": """
        not, isn't true, is not true, no, never, none, neither, nor, nothing, nobody, cannot, can't, can not, won't,
        isn't, aren't, wasn't, weren't, doesn't, didn't, hasn't, haven't, hadn't, wouldn't, couldn't, shouldn't,
        mustn't, ain't, without, hardly, scarcely, rarely, seldom, far from, nowhere, no longer, lack, lacks, free of,
        rule out, ruled out, denies, denied, unable to, fails to, unlikely, nor do, no record of, no evidence of,
        no history of, no sign of, negative for
    """,
    "prohibit": """
        don't, do not, never, must not, mustn't, should not, shouldn't, ought not, may not, can't have, cannot have,
        please don't, please do not, no need to reach for, don't ever, you can't, you cannot, not to
    """,
    "warn": """
        avoid, avoiding, refrain from, stay away from, steer clear of, keep away from, beware, beware of,
        watch out for, careful with, cautious about, caution against, warn against, warned against, advise against,
        advised against, recommend against, skip, skipping, cut out, give up, quit, hold off on, stop taking,
        stop smoking, limit, cut back on, cut down on, leave out, leave off, rather than, instead of, forgo, ditch,
        drop the, wouldn't recommend, would not recommend, don't recommend, do not recommend, not recommend,
        can't recommend, cannot recommend, wouldn't advise, not advise, don't advise, off limits, against using,
        stop using, out of bounds, against taking, against, go easy on, no room for, not suitable, unsuitable,
        contraindicated, i'd leave, put off, postpone, ❌, 🚫
    """,
    "reject": """
        is out, are out, is off the table, are off the table, off the table, is off limits, are off limits,
        off the list, stay off the list, is not recommended, are not recommended, isn't recommended,
        aren't recommended, not recommended, is not advised, not advised, is not advisable, not advisable,
        should be avoided, must be avoided, is best avoided, are best avoided, best avoided, to be avoided,
        is not a good idea, isn't a good idea, a bad idea, is unsafe, are unsafe, is not safe, isn't safe, not safe,
        is not suitable, isn't suitable, not for you, isn't for you, can wait, must wait, is forbidden, are forbidden,
        is contraindicated, are contraindicated, is not an option, isn't an option, on the shop shelf, on the shelf,
        belong in the same basket, is dangerous, are dangerous, not appropriate, is not true, isn't true, is false,
        is wrong, was wrong, is a myth, not allowed
    """,
    "recommend": """
        recommend, recommended, suggest, suggested, advise, should, ought to, consider, try, please, aim for, best to,
        it's best, start with, go for, choose, prefer, add, switch to, make sure, be sure to, have to, must, need to,
        ideal, push to, load, let's, take, use, keep, eat, walk, encouraged, worth trying, good choice, great choice,
        swap, switch, you'd better, had better, ✅
    """,
    "permit": """
        can, may, is fine, are fine, fine, is okay, are okay, okay, ok, is ok, are ok, all right, is acceptable,
        are acceptable, acceptable, allowed, safe to, it's safe, no problem, not a problem, isn't a problem,
        won't hurt, doesn't hurt, wouldn't hurt, no harm, feel free to, free to, welcome to, no reason not to,
        won't matter, in moderation, you'd be able to, i'd still let you, let you, don't worry about,
        no need to avoid, don't need to avoid, needn't avoid, don't have to avoid, doesn't have to be avoided,
        not off limits
    """,
    "refuse": """
        i can't, i cannot, i can not, i won't, i will not, i'm unable to, i am unable to, i'm not able to,
        i am not able to, i'm not allowed to, i must decline, i have to decline, we can't, we cannot, we won't,
        i couldn't, i'd rather not, i'm sorry but, not in a position to, as an assistant, i don't provide,
        i do not provide, i can't agree, i don't give
    """,
    "condition": """
        if, if you had, if you were, unless, in case, provided that, providing, as long as, should you, when,
        whenever, in the event, assuming, whether, until, only if, even if
    """,
    "suppose": """
        suppose, supposing, imagine, hypothetically, if you had, were to, assuming, if you were, let's say, would have
    """,
    "possible": """
        might, may, could, perhaps, maybe, possibly, potentially, can sometimes, risk of, chance of, likely to
    """,
    "report": """
        said, says, say, told, tells, claims, claimed, claim, according to, heard, allegedly, reportedly, supposedly,
        so-called, rumor, rumour, people say, some say, they say, it is said, mentioned, wrote, asked, ask whether,
        asked whether, the idea that, the claim that, promised, promises, promise, whoever said, thinks, believes,
        believe that
    """,
    "example": """
        for example, for instance, such as, e.g., eg, drugs like, things like, including, as an example,
        examples include, to illustrate
    """,
    "other": """
        other patients, other patient, other people, other investors, other clients, another patient, another client,
        some people, some patients, some investors, some clients, someone else, someone, somebody, people with,
        people who, people over, patients with, patients who, investors who, those who, anyone who,
        aggressive investors, aggressive investor, experienced traders, professional investors,
        institutional investors, institutions, your mother, your father, your sister, your sisters, your brother,
        your brothers, your husband, your wife, your son, your daughter, your friend, your friends, your neighbor,
        your neighbour, your parents, your family, your aunt, your uncle, his, her, he, she, relatives, a friend,
        friends, my other, healthy adults, healthy people, a 54-year-old man, most people, women who, men who,
        pregnant women, colleague, coworker, traders
    """,
    "self": """
        you, you're, you've, you'll, your, yours, yourself, you'd
    """,
    "question": """
        do you, does your, have you, has your, are you, is there, are there, did you, could you, can you, would you,
        will you, should i, can i, may i, is it, whether
    """,
}

CHAIN = (
    "true the case that as if like you we i it necessarily really possible to be there is are a reason any can say so"
)
CONTINUES = ("and", "or", "nor", "as well as", "including", "plus")
