//! Particles: the small words of Chinese, Japanese and Korean that a sentence goes on
//! with behind a name, and that are hardly ever part of one.
//!
//! Principle 2. ⟦https://h.com/wiki/東京⟧を参照, ⟦https://h.com/wiki/서울⟧에 있어요,
//! ⟦https://h.jp/⟧を参照.
//!
//! A word is on a list only if names do without it. So the lists lack the particles
//! that names are full of: の, は, が (自由が丘, 君の名は), 的 (我的世界), 이, 가, 도, 은
//! (고양이, 작가, 제주도, 김정은).
//!
//! | language | ends a name | as the end of a word only |
//! |---|---|---|
//! | Japanese | を, です, でした, について, によると, によれば, ください; behind other letters than hiragana also から, まで, より, には, では, とは, にて, って, and what is said of a page or done with it: にあります, に書いて, の記事, が詳しい, で検索 | |
//! | Chinese | 这 with what it counts or points to: 这个, 这篇, 这一节; 已经, 是不是, 有没有, 能不能, 怎么样; a verb with how well it was done: 写得很好; 是 if the words end as speech does | 吗, 呢, 都看了, 就有 |
//! | Korean | letters without a syllable: ㅋㅋ, ㅠㅠ | 에 and what begins with it, 으로, 까지, 부터, 입니다, 라는, …; 을 behind a syllable with a final consonant, 를 and 는 behind one without; 은 behind three syllables, the last with a final consonant; 가, 와, 로 behind four, the last without |
//!
//! Less is needed where a segment would begin with one: there also は, の and the like
//! before Han or katakana, 的, 也, 是, a verb and 了, and Korean words that are nothing but a particle. Still less is
//! behind the slash of a host: there also what to do at a page (`⟦https://h.com/⟧注册账号`),
//! unless the URL goes on behind it.
//!
//! LINEAR: a list is of fixed length.

use barelink_text::chars::{next_char, prev_char};

use super::script::{is_east_asian, is_hiragana, is_jamo};

/// End a name, whatever stands before and behind.
const ANYWHERE: &[&str] = &["を", "です", "でした", "について", "によると", "によれば", "ください"];

/// End a name that does not end in hiragana.
const BEHIND_NAMES: &[&str] = &[
    "から",
    "まで",
    "より",
    "には",
    "では",
    "とは",
    "にて",
    "って",
    // What is said of a page, or done with it.
    "にありま",
    "に書",
    "に載",
    "の記事",
    "のページ",
    "が参考",
    "が詳し",
    "が面白",
    "が便利",
    "がおすすめ",
    "が開け",
    "が開か",
    "が表示",
    "が見れ",
    "が見ら",
    "で検索",
    "で調べ",
    "で確認",
    "で公開",
    "に投稿",
    "に登録",
    "に追加",
    "も参照",
    "も参考",
];

/// Begin no segment if Han or katakana follows, or those of two letters nothing.
const BEFORE_NAMES: &[&str] = &[
    "は", "が", "に", "で", "と", "も", "へ", "の", "から", "まで", "には", "では", "とは", "にて",
    "より",
];

/// Begin no segment: what comes with a place that was named, and what to do with a link.
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
];

/// Adverbs that begin no segment before what is or is not, can or cannot be.
const ADVERBS: &str = "都还還又就却卻";

/// What they stand before. Not 会, as in 都会.
const BEHIND_ADVERB: &str = "不没沒能可有是要在";

/// Names that begin with `也` and `是`: 也门, 也许; 是枝裕和, 是否, 是非.
const BEHIND_YE: &str = "门門许許";
const BEHIND_SHI: &str = "枝否非";

/// What speech ends with, and how far ahead that is looked for.
const SAID: &str = "吗嗎呢吧啊啦哦喔呀嘛耶";
const MAX_SAID: usize = 16;

/// Before `是` in titles: 什么是, 我是, 可是.
const BEFORE_SHI: &str = "么麼我你他她谁誰这這就不可只要也还還都总總于於但";

/// Verbs of one letter for what is done with a page, and how that does not end: 打不开.
const TRIED: &str = "打连連进進登点點刷搜找看";
const NOT_ENDED: &str = "开開上去到了动動出";

/// What to do at a host, behind its slash: words that paths of one segment do without.
const VISITS: &[&str] = &[
    "上下", "上找", "上搜", "上有", "上查", "上注", "上申", "上看", "上面", "上选", "下载", "下載",
    "中找", "中搜", "中查", "里找", "里搜", "里查", "里面", "裡面", "了解", "参考", "參考", "参见",
    "參見", "参阅", "參閱", "可以", "填写", "填寫", "找到", "报名", "報名", "提交", "搜一", "搜索",
    "搜尋", "无法", "無法", "来看", "來看", "查一", "查看", "查询", "查詢", "查找", "检查", "檢查",
    "检测", "檢測", "注册", "註冊", "浏览", "瀏覽", "然后", "然後", "申请", "申請", "登录", "登錄",
    "登陆", "登入", "看一", "看下", "看到", "看看", "确认", "確認", "試試", "试用", "试试", "購買",
    "购买", "获取", "獲取", "观看", "觀看", "訂閱", "订阅", "访问", "訪問", "输入", "輸入", "进入",
    "進入", "进行", "進行", "选择", "選擇", "阅读", "閱讀", "领取", "領取", "验证", "驗證", "快来",
    "快來", "快去", "赶紧", "趕緊", "赶快", "趕快", "马上", "馬上", "是我", "是你", "是不", "是官",
    "是什", "有没", "有沒", "打不", "也可", "都可", "就可", "就能", "就行", "就好", "并且", "並且",
    "或者", "以及",
];

/// End a name in Chinese: adverbs and questions that titles do without.
const CHINESE: &[&str] =
    &["已经", "已經", "是不是", "有没有", "有沒有", "能不能", "怎么样", "怎麼樣"];

/// What is then so, at the end of a word, and before `就` in words: 成就, 造就.
const THEN: &[&str] = &["就有", "就行", "就可以"];
const BEFORE_JIU: &str = "成造高将將迁遷";

/// How well something was done, behind `得`.
const DEGREES: &[&str] = &["很", "太", "真", "挺", "不错", "不錯", "非常", "特别", "特別"];

/// What `这` and `這` count or point to.
const POINTED_AT: &str = "个個篇里裡条條是些样樣部本种種份款位边邊";

/// What `这一` and `這一` do.
const POINTED_AT_ONE: &str = "个個篇条條部本种種份款节節章段步页頁期集句行点點题題";

/// Names that begin with `的`: 的士, 的黎波里, 的确.
const BEHIND_DE: &str = "士黎确確";

/// Names that begin with a letter and `了`: 为了, 除了, 好了歌.
const BEFORE_LE: &str = "为為除罢罷好完对對够夠";

/// End a word of Korean, and are hardly ever the end of a noun.
const KOREAN: &[&str] = &[
    "에",
    "에는",
    "에도",
    "에서",
    "에서는",
    "에서도",
    "에서만",
    "에게",
    "으로",
    "으로는",
    "까지",
    "까지만",
    "부터",
    "부터는",
    "처럼",
    "한테",
    "입니다",
    "이에요",
    "예요",
    "인데",
    "인데요",
    "인가요",
    "라는",
    "이라는",
    "라고",
    "이라고",
    "라는데",
    "이라는데",
    "라던데",
    "이라던데",
    "이고",
    "이랑",
    "이네요",
    "이죠",
    "인지",
    "에선",
    "하고",
    "보다",
    "밖에",
    "만큼",
    "께서",
];

/// Are a word of Korean that begins no segment.
const KOREAN_FIRST: &[&str] = &["로", "을", "를", "는", "이다"];

/// The same, but only behind a host and its slash: these are names too.
const KOREAN_HOST: &[&str] = &["의", "은", "이", "가", "와", "과", "도", "만"];

/// Units of counting, which belong to the number before them.
const COUNTERS: &str = "年月号號版届屆章节節页頁条條世万萬亿億元円歳岁년월";

/// Units of counting if no more of the word follows: 3회, but not 3회사.
const WHOLE_COUNTERS: &str = "회차세기대일호";

/// Whether `text`, behind the slash of a host, says what to do there.
pub(super) fn visits(text: &[u8]) -> bool {
    starts_with_one(text, VISITS)
}

/// Whether the letter at the start of `text` counts what the digits before it say.
pub(super) fn is_counter(text: &[u8]) -> bool {
    next_char(text, 0).is_some_and(|c| {
        let rest = &text[c.len_utf8().min(text.len())..];
        // 版 counts, 版本 is what is counted.
        let is_version = c == '版' && next_char(rest, 0) == Some('本');
        (COUNTERS.contains(c) && !is_version)
            || (WHOLE_COUNTERS.contains(c)
                && next_char(rest, 0).is_none_or(|next| !next.is_alphanumeric()))
    })
}

/// Whether a particle starts at `at`, behind the letters of a name.
pub(super) fn ends_name(text: &[u8], at: usize, c: char) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    match c {
        'ぁ'..='ゟ' => {
            let is_behind_name = || prev_char(text, at).is_some_and(|c| !is_hiragana(c));
            starts_with_one(rest, ANYWHERE)
                || (starts_with_one(rest, BEHIND_NAMES) && is_behind_name())
        }
        '이' | '에' | '으' | '까' | '부' | '처' | '한' | '입' | '예' | '인' | '라' | '하'
        | '보' | '밖' | '만' | '께' => KOREAN.iter().any(|particle| is_word(rest, particle)),
        '가' | '와' | '로' => {
            is_word(rest, c.encode_utf8(&mut [0; 4]))
                && is_closed(prev_char(text, at)) == Some(false)
                && has_syllables(text, at, 4)
        }
        '을' => is_word(rest, "을") && is_closed(prev_char(text, at)) == Some(true),
        '를' => is_word(rest, "를") && is_closed(prev_char(text, at)) == Some(false),
        '는' => is_word(rest, "는") && is_closed(prev_char(text, at)) == Some(false),
        '은' => {
            is_word(rest, "은")
                && is_closed(prev_char(text, at)) == Some(true)
                && has_syllables(text, at, 3)
        }
        '这' | '這' => points(rest),
        '已' | '有' | '能' | '怎' => starts_with_one(rest, CHINESE),
        '是' => starts_with_one(rest, CHINESE) || is_said(text, at),
        '吗' | '嗎' | '呢' => ends_word(&rest[c.len_utf8()..]),
        '都' => is_all_done(rest),
        '就' => {
            THEN.iter().any(|then| is_word(rest, then))
                && prev_char(text, at).is_some_and(|c| !BEFORE_JIU.contains(c))
        }
        _ => is_jamo(c) || is_judged(rest, c),
    }
}

/// Whether `是` at `at` is said of the name before it, and the words end as speech does:
/// `珍珠奶茶是台湾的吗`. Titles ask otherwise: 什么是, 我是.
fn is_said(text: &[u8], at: usize) -> bool {
    // LINEAR: so many letters are looked at, and no more.
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

/// Whether `text` starts with a verb of one letter, `c`, that is done: `卡了一晚上`.
fn is_done(text: &[u8], c: char) -> bool {
    next_char(text, c.len_utf8()) == Some('了') && !BEFORE_LE.contains(c)
}

/// Whether a sentence goes on with `text`, whose first letter is `c`: `也连不上`, `还没更新`,
/// `是空的`, `打不开`.
fn goes_on_in_chinese(text: &[u8], c: char) -> bool {
    let second = next_char(text, c.len_utf8()).unwrap_or(' ');
    match c {
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

/// Whether `rest` is `都` and a verb of one or two letters that is done: `都看了`.
fn is_all_done(rest: &[u8]) -> bool {
    (2..=3).any(|n_letters| {
        // Letters of three bytes, as those of everyday Han are.
        let done = rest.get(3 * n_letters..).and_then(|rest| rest.strip_prefix("了".as_bytes()));
        done.is_some_and(ends_word)
    })
}

/// Whether a word of Hangul has at least so many syllables before `at`.
fn has_syllables(text: &[u8], mut at: usize, n_syllables: usize) -> bool {
    (0..n_syllables).all(|_| {
        let syllable = prev_char(text, at).filter(|c| ('가'..='힣').contains(c));
        at -= syllable.map_or(0, char::len_utf8);
        syllable.is_some()
    })
}

/// What a segment begins behind.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Slash {
    /// The slash of the host.
    Host,
    /// Another.
    Path,
}

/// Whether the segment that would start with `text`, whose first letter is `c`, starts
/// with a particle instead.
pub(super) fn begins_segment(text: &[u8], c: char, slash: Slash) -> bool {
    match c {
        'ぁ'..='ゟ' => {
            starts_with_one(text, ANYWHERE)
                || BEFORE_NAMES.iter().any(|particle| {
                    text.strip_prefix(particle.as_bytes()).is_some_and(|rest| {
                        let is_long = particle.len() > c.len_utf8();
                        starts_with_name(rest)
                            || (is_long && (ends_word(rest) || goes_on(rest, slash)))
                    })
                })
        }
        '가'..='힣' => {
            let is_host = slash == Slash::Host;
            let in_list = |list: &[&str]| list.iter().any(|particle| is_word(text, particle));
            in_list(KOREAN)
                || in_list(KOREAN_FIRST)
                || (is_host && (in_list(KOREAN_HOST) || starts_with_place(text)))
        }
        '这' | '這' => points(text),
        '的' => next_char(text, c.len_utf8()).is_none_or(|next| !BEHIND_DE.contains(next)),
        '里' | '裡' | '上' if ends_word(&text[c.len_utf8()..]) => true,
        _ if SAID.contains(c) => ends_word(&text[c.len_utf8()..]),
        _ => starts_with_one(text, FIRST) || is_done(text, c) || goes_on_in_chinese(text, c),
    }
}

/// Whether a sentence goes on with `rest` behind a particle of hiragana, and no word does that
/// begins with the same letters: `からご応募`, and behind a host `からの`, `からJSON`.
fn goes_on(rest: &[u8], slash: Slash) -> bool {
    next_char(rest, 0).is_some_and(|c| match slash {
        Slash::Host => "ごおのもは".contains(c) || c.is_ascii_alphanumeric(),
        Slash::Path => c == 'ご',
    })
}

/// Whether `text` starts with `에서`, and more of the word may follow: `에서만`.
fn starts_with_place(text: &[u8]) -> bool {
    let rest = text.strip_prefix("에서".as_bytes());
    rest.is_some_and(|rest| {
        ends_word(rest) || next_char(rest, 0).is_some_and(|c| ('가'..='힣').contains(&c))
    })
}

fn starts_with_one(text: &[u8], particles: &[&str]) -> bool {
    particles.iter().any(|particle| text.starts_with(particle.as_bytes()))
}

/// Whether `text` starts with a letter of Han or katakana.
fn starts_with_name(text: &[u8]) -> bool {
    next_char(text, 0).is_some_and(|c| is_east_asian(c) && !is_hiragana(c))
}

/// The characters of `text`, each read when it is asked for.
fn letters(text: &[u8]) -> impl Iterator<Item = char> {
    let mut at = 0;
    core::iter::from_fn(move || {
        let c = next_char(text, at)?;
        at += c.len_utf8();
        Some(c)
    })
}

/// Whether `text` starts with `这` and what it points to.
pub(super) fn points(text: &[u8]) -> bool {
    let mut letters = letters(text);
    letters.next().is_some_and(|c| matches!(c, '这' | '這'))
        && letters.next().is_some_and(|c| {
            POINTED_AT.contains(c)
                || (c == '一' && letters.next().is_some_and(|c| POINTED_AT_ONE.contains(c)))
        })
}

/// Whether `text` starts with this word, as a whole.
fn is_word(text: &[u8], word: &str) -> bool {
    text.strip_prefix(word.as_bytes()).is_some_and(ends_word)
}

/// Whether a word ends where `text` starts.
fn ends_word(text: &[u8]) -> bool {
    next_char(text, 0).is_none_or(|c| !c.is_alphanumeric() && !"/_-%".contains(c))
}

/// Whether `c`, a syllable of Hangul, has a final consonant.
fn is_closed(c: Option<char>) -> Option<bool> {
    // Unicode orders syllables by initial, vowel and final, of which there are 28 with none.
    let idx = u32::from(c?).checked_sub(u32::from('가'))?;
    (idx <= u32::from('힣') - u32::from('가')).then_some(!idx.is_multiple_of(28))
}

#[cfg(test)]
mod tests {
    use super::{Slash, begins_segment, ends_name};

    /// Where the name in `text` is ended by a particle.
    fn name(text: &str) -> &str {
        let mut letters = text.char_indices().skip(1);
        let end = letters.find(|&(at, c)| ends_name(text.as_bytes(), at, c));
        &text[..end.map_or(text.len(), |(at, _)| at)]
    }

    #[test]
    fn names_end() {
        for (text, end) in [
            ("東京を参照", "東京"),
            ("お好み焼きです", "お好み焼き"),
            ("東京から", "東京"),
            ("人工知能について", "人工知能"),
            ("서울에 있어요", "서울"),
            ("서울에서는", "서울"),
            ("서울을 보세요", "서울"),
            ("제주도를", "제주도"),
            ("나는, 너", "나"),
            ("서울ㅋㅋ", "서울"),
            ("人工智能这篇", "人工智能"),
            ("人工智能吗?", "人工智能"),
            ("人工智能已经更新", "人工智能"),
            ("量子力学讲得太学术", "量子力学"),
            ("李白都看了", "李白"),
            ("李白都知道了。", "李白"),
            ("寿司に書いてある", "寿司"),
            ("東京タワーの記事", "東京タワー"),
            ("대한민국은 어때요", "대한민국"),
            ("경복궁은 몇", "경복궁"),
            ("부산광역시로 검색", "부산광역시"),
            ("珍珠奶茶是台湾的吗", "珍珠奶茶"),
            ("天气预报就有", "天气预报"),
        ] {
            assert_eq!(name(text), end);
        }
    }

    #[test]
    fn names_with_what_looks_like_a_particle() {
        for text in [
            "君の名は",
            "自由が丘",
            "子ども",
            "いつまでも",
            "김정은",
            "고양이",
            "제주도",
            "가을",
            "을지로",
            "에스토니아",
            "서울에_관하여",
            "我的世界",
            "吗啡",
            "成都",
            "都市",
            "首都变了样",
            "毛呢大衣",
            "就是这么",
            "得意忘形",
            "君に届け",
            "钢铁是怎样炼成的",
            "什么是爱啦",
            "成就有",
            "더높은",
            "오키나와",
            "세종대로",
        ] {
            assert_eq!(name(text), text);
        }
    }

    #[test]
    fn segments_begin_with_names() {
        let begins = |text: &str| {
            let c = text.chars().next().unwrap_or(' ');
            begins_segment(text.as_bytes(), c, Slash::Path)
        };
        for text in [
            "を参照",
            "の記事",
            "から申し込む",
            "에서 확인",
            "입니다",
            "的代码",
            "这个网站",
            "卡了一晚上",
            "也连不上",
            "还没更新",
            "是空的",
            "打不开",
            "里，自己翻",
        ] {
            assert!(begins(text), "{text}");
        }
        for text in [
            "もののけ姫",
            "はだしのゲン",
            "からあげ",
            "이벤트",
            "은",
            "的士",
            "这就是",
            "为了你",
            "了不起",
            "也门",
            "是枝裕和",
            "都会",
            "还珠格格",
            "看不见的城市",
        ] {
            assert!(!begins(text), "{text}");
        }
        assert!(begins_segment("은 ".as_bytes(), '은', Slash::Host));
    }
}
