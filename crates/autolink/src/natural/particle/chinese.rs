//! Particles and other words with which a Chinese sentence continues: see `particle`.
//!
//! LINEAR: the length of each list is fixed, and so is the lookahead after a letter.

use barelink_text::chars::{next_char, prev_char};

use super::{ends_word, is_word, starts_with_one};
use crate::natural::script::is_east_asian;

/// Words that begin no segment: what follows the name of a place, and what to do with a link.
const FIRST: &[&str] = &[
    "上的",
    "里的",
    "裡的",
    "中的",
    "下的",
    "即可",
    "点击",
    "點擊",
    "打开",
    "打開",
    "复制",
    "複製",
    "没反",
    "沒反",
    "没法",
    "沒法",
    "大家",
    "谢谢",
    "謝謝",
    "请问",
    "請問",
    "麻烦",
    "麻煩",
    "感觉",
    "感覺",
    "哈哈哈",
    "有人",
    "有个",
    "有個",
    "有些",
    "有点",
    "有點",
    "有谁",
    "有誰",
    "有中文",
    "有英文",
];

/// Adverbs that begin no segment before one of [`BEHIND_ADVERB`].
const ADVERBS: &str = "都还還又就却卻";

/// What such an adverb precedes. Not 会, as in 都会.
const BEHIND_ADVERB: &str = "不没沒能可有是要在";

/// The second letters of words that begin with `也` and `是`: 也门, 也许; 是枝裕和, 是否, 是非.
const BEHIND_YE: &str = "门門许許";
const BEHIND_SHI: &str = "枝否非";

/// Letters that end spoken sentences, and how many letters ahead to look for one.
const SAID: &str = "吗嗎呢吧啊啦哦喔呀嘛耶";
const MAX_SAID: usize = 16;

/// The maximum length of a remark such as `很详细`, in letters.
const MAX_PRAISE: usize = 5;

/// Letters before `是` in titles: 什么是, 我是, 可是.
const BEFORE_SHI: &str = "么麼我你他她谁誰这這就不可只要也还還都总總于於但";

/// Verbs of one letter for using a page, and what follows them and `不`: 打不开.
const TRIED: &str = "打连連进進登点點刷搜找看";
const NOT_ENDED: &str = "开開上去到了动動出";

/// Verbs of one letter before `一下`: 搜一下.
const LOOKED: &str = "看查搜试試找读讀点點";

/// What to do at a host, after its slash: words that no path of one segment begins with.
const VISITS: &[&str] = &[
    "上下", "上找", "上搜", "上有", "上查", "上注", "上申", "上看", "上面", "上选", "上评", "上評",
    "上说", "上說", "上写", "上寫", "上买", "上買", "上发", "上發", "下载", "下載", "中找", "中搜",
    "中查", "里找", "里搜", "里查", "里面", "裡面", "了解", "参考", "參考", "参见", "參見", "参阅",
    "參閱", "可以", "填写", "填寫", "找到", "报名", "報名", "提交", "搜一", "搜索", "搜尋", "无法",
    "無法", "来看", "來看", "查一", "查看", "查询", "查詢", "查找", "检查", "檢查", "检测", "檢測",
    "注册", "註冊", "浏览", "瀏覽", "然后", "然後", "申请", "申請", "登录", "登錄", "登陆", "登入",
    "看一", "看下", "看到", "看看", "确认", "確認", "試試", "试用", "试试", "購買", "购买", "获取",
    "獲取", "观看", "觀看", "訂閱", "订阅", "访问", "訪問", "输入", "輸入", "进入", "進入", "进行",
    "進行", "选择", "選擇", "阅读", "閱讀", "领取", "領取", "验证", "驗證", "快来", "快來", "快去",
    "赶紧", "趕緊", "赶快", "趕快", "马上", "馬上", "是我", "是你", "是不", "是官", "是什", "有没",
    "有沒", "打不", "也可", "都可", "就可", "就能", "就行", "就好", "并且", "並且", "或者", "以及",
];

/// Words that begin a sentence after the slash of a host: times, conjunctions and the like.
const BEGINNINGS: &[&str] = &[
    "今天", "昨天", "明天", "现在", "刚刚", "剛剛", "刚才", "剛才", "因为", "因為", "所以", "但是",
    "不过", "不過", "如果", "虽然", "雖然", "应该", "應該", "好像", "居然", "竟然", "突然", "一直",
    "终于", "終於", "真的", "确实", "確實", "其实", "其實", "在这", "在這", "在哪", "跟我", "给我",
    "給我", "让我", "讓我", "我刚", "我剛", "我也",
];

/// Words that end a name: adverbs and questions that titles do not contain.
const CHINESE: &[&str] =
    &["已经", "已經", "是不是", "有没有", "有沒有", "能不能", "怎么样", "怎麼樣"];

/// Consequences with `就`, at the end of a word, and letters that form a word with it: 成就, 造就.
const THEN: &[&str] = &["就有", "就行", "就可以"];
const BEFORE_JIU: &str = "成造高将將迁遷";

/// Degrees after `得`.
const DEGREES: &[&str] = &["很", "太", "真", "挺", "不错", "不錯", "非常", "特别", "特別"];

/// What `这` and `這` count or point to.
const POINTED_AT: &str = "个個篇里裡条條是些样樣部本种種份款位边邊";

/// What `这一` and `這一` count or point to.
const POINTED_AT_ONE: &str = "个個篇条條部本种種份款节節章段步页頁期集句行点點题題";

/// The second letters of words that begin with `的`: 的士, 的黎波里, 的确.
const BEHIND_DE: &str = "士黎确確";

/// Letters that form a word with `了`: 为了, 除了, 好了歌.
const BEFORE_LE: &str = "为為除罢罷好完对對够夠";

/// Letters that form a word with `的`: 我的, 目的.
const BEFORE_DE: &str = "我你您他她它咱谁誰目标標有";

/// What is said of a page, after `的`, and pronouns for its owner: 我的文章.
const PAGES: &[&str] = &[
    "介绍", "介紹", "条目", "條目", "词条", "詞條", "页面", "頁面", "网页", "網頁", "链接", "鏈接",
    "連結", "文章",
];
const OWNERS: &str = "我你您他她它们們";

/// What follows `从` in a sentence: 从今天, 从这里.
const BEHIND_CONG: &str = "今昨明这這那哪现現去早";

/// Whether `text`, after the slash of a host, says what to do there, or begins a sentence.
pub(in super::super) fn visits(text: &[u8]) -> bool {
    starts_with_one(text, VISITS) || starts_with_one(text, BEGINNINGS)
}

/// Whether a particle starts at `at` with the letter `c`, after the letters of a name.
pub(super) fn ends_name(text: &[u8], at: usize, c: char) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    match c {
        '这' | '這' => points(rest),
        '已' | '有' | '能' | '怎' => starts_with_one(rest, CHINESE),
        '是' => starts_with_one(rest, CHINESE) || is_said(text, at),
        '吗' | '嗎' | '呢' => ends_word(&rest[c.len_utf8()..]),
        '都' => is_all_done(rest),
        '就' => {
            THEN.iter().any(|then| is_word(rest, then))
                && prev_char(text, at).is_some_and(|c| !BEFORE_JIU.contains(c))
        }
        '的' => {
            (starts_with_one(&rest[c.len_utf8()..], PAGES) || is_exclaimed(rest))
                && is_behind_name(text, at)
        }
        '太' => is_exclaimed(rest) && is_behind_name(text, at),
        '很' if rest.starts_with("很久".as_bytes()) => false,
        '很' | '挺' | '蛮' | '蠻' => is_praised(rest) && is_behind_name(text, at),
        _ => is_judged(rest, c) || is_tried(rest, c),
    }
}

/// Whether the segment that would start with `text`, whose first letter is `c`, is cut off by a
/// particle.
pub(super) fn begins_segment(text: &[u8], c: char) -> bool {
    match c {
        '这' | '這' => points(text),
        '的' => next_char(text, c.len_utf8()).is_none_or(|next| !BEHIND_DE.contains(next)),
        '里' | '裡' | '上' if ends_word(&text[c.len_utf8()..]) => true,
        _ if SAID.contains(c) => ends_word(&text[c.len_utf8()..]),
        _ => starts_with_one(text, FIRST) || is_done(text, c) || goes_on_in_chinese(text, c),
    }
}

/// Whether a letter other than a pronoun precedes `at`: pronouns begin song titles, 我太难了, 我很好.
fn is_behind_name(text: &[u8], at: usize) -> bool {
    prev_char(text, at).is_some_and(|c| is_east_asian(c) && !OWNERS.contains(c))
}

/// Whether the words at the start of `text` are an exclamation with `太` and `了`: `太短了`.
fn is_exclaimed(text: &[u8]) -> bool {
    // LINEAR: reads at most `MAX_SAID` letters.
    let words = || letters(text).take(MAX_SAID).take_while(|&c| is_east_asian(c));
    words().last().is_some_and(|c| "了啦".contains(c)) && words().any(|c| c == '太')
}

/// Whether `text` starts with a whole remark that begins with an adverb of degree: `很详细`, `挺好的`.
fn is_praised(text: &[u8]) -> bool {
    let n_letters = letters(text).take(MAX_PRAISE + 1).take_while(|&c| is_east_asian(c)).count();
    // Each letter has three bytes, as those of everyday Han have.
    (2..=MAX_PRAISE).contains(&n_letters) && text.get(3 * n_letters..).is_some_and(ends_word)
}

/// Whether the `是` at `at` speaks of the name before it, and the words end like speech:
/// `珍珠奶茶是台湾的吗`. Questions in titles differ: 什么是, 我是.
fn is_said(text: &[u8], at: usize) -> bool {
    // LINEAR: reads at most `MAX_SAID` letters.
    let last = letters(&text[at..]).take(MAX_SAID).take_while(|&c| is_east_asian(c)).last();
    last.is_some_and(|c| SAID.contains(c))
        && prev_char(text, at).is_some_and(|c| is_east_asian(c) && !BEFORE_SHI.contains(c))
}

/// Whether `rest` begins with a verb of one letter and how well it was done: `写得很好`.
fn is_judged(rest: &[u8], verb: char) -> bool {
    let complement =
        rest.get(verb.len_utf8()..).and_then(|rest| rest.strip_prefix("得".as_bytes()));
    complement.is_some_and(|degree| starts_with_one(degree, DEGREES))
}

/// Whether `rest` begins with a verb of one letter and `一下`: `搜一下`.
fn is_tried(rest: &[u8], verb: char) -> bool {
    LOOKED.contains(verb) && rest[verb.len_utf8()..].starts_with("一下".as_bytes())
}

/// Whether `text` starts with a verb of one letter, `c`, and `了`: `卡了一晚上`, or is only such a verb
/// and `的`: `装的`.
fn is_done(text: &[u8], c: char) -> bool {
    let behind = text.get(c.len_utf8()..).unwrap_or_default();
    match next_char(behind, 0) {
        Some('了') => !BEFORE_LE.contains(c),
        Some('的') => !BEFORE_DE.contains(c) && is_word(behind, "的"),
        _ => false,
    }
}

/// Whether `text`, whose first letter is `c`, continues a sentence: `也连不上`, `还没更新`, `是空的`, `打不开`.
fn goes_on_in_chinese(text: &[u8], c: char) -> bool {
    let second = next_char(text, c.len_utf8()).unwrap_or(' ');
    match c {
        '从' | '從' => BEHIND_CONG.contains(second) || second.is_ascii_digit(),
        '也' => !BEHIND_YE.contains(second),
        '是' => !BEHIND_SHI.contains(second),
        _ if ADVERBS.contains(c) => BEHIND_ADVERB.contains(second),
        _ if TRIED.contains(c) && second == '不' => {
            next_char(text, c.len_utf8() + second.len_utf8())
                .is_some_and(|third| NOT_ENDED.contains(third))
        }
        _ => false,
    }
}

/// Whether `rest` is `都`, a verb of one or two letters and `了`: `都看了`.
fn is_all_done(rest: &[u8]) -> bool {
    (2..=3).any(|n_letters| {
        // Each letter has three bytes, as those of everyday Han have.
        let done = rest.get(3 * n_letters..).and_then(|rest| rest.strip_prefix("了".as_bytes()));
        done.is_some_and(ends_word)
    })
}

/// Whether `text` starts with `这` and what it points to.
pub(in super::super) fn points(text: &[u8]) -> bool {
    let mut letters = letters(text);
    letters.next().is_some_and(|c| matches!(c, '这' | '這'))
        && letters.next().is_some_and(|c| {
            POINTED_AT.contains(c)
                || (c == '一' && letters.next().is_some_and(|c| POINTED_AT_ONE.contains(c)))
        })
}

/// The characters of `text`, decoded lazily.
fn letters(text: &[u8]) -> impl Iterator<Item = char> {
    let mut at = 0;
    core::iter::from_fn(move || {
        let c = next_char(text, at)?;
        at += c.len_utf8();
        Some(c)
    })
}
