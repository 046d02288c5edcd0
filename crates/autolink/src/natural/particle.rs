//! Particles: the small words of Chinese, Japanese and Korean with which a sentence continues after
//! a name, and which are hardly ever part of one.
//!
//! Principle 2. ⟦https://h.com/wiki/東京⟧を参照, ⟦https://h.com/wiki/서울⟧에 있어요,
//! ⟦https://h.jp/⟧を参照.
//!
//! A word is on a list only if names do not contain it. So the lists lack the particles that many
//! names contain: の, は, が (自由が丘, 君の名は), 的 (我的世界), 가, 도 (작가, 제주도).
//!
//! | language | ends a name | only at the end of a word |
//! |---|---|---|
//! | Japanese | を, です, でした, について, によると, によれば, ください; after other letters than hiragana also から, まで, より, には, では, とは, にて, って, and what is said of a page or done with it: にあります, に書いて, の記事, が詳しい, で検索, に行きたい, へ行きました | |
//! | Chinese | 这 with what it counts or points to: 这个, 这篇, 这一节; 已经, 是不是, 有没有, 能不能, 怎么样; a verb with how well it was done: 写得很好; a verb and 一下: 搜一下; 是 if the words end as speech does; 的 before what is said of a page: 的条目; 太 with 了 at the end | 吗, 呢, 都看了, 就有, 很详细 |
//! | Korean | letters that form no syllable: ㅋㅋ, ㅠㅠ | 에 and what begins with it, 으로, 까지, 부터, 입니다, 라는, …; 을 after a syllable with a final consonant, 를 and 는 after one without; 은, 이, 과 after three syllables, the last with a final consonant; 의 after two; 가, 와, 로 after four, the last without; not 이, 과 and 의 where they form a noun: 놀이, 학과, 주의 |
//!
//! More words count where a segment would begin with one: also は, の and the like before Han,
//! katakana or digits, 的, 也, 是, a verb and 了 or 的, and Korean words that are nothing but a
//! particle. Still more count after the slash of a host: also what to do at a page
//! (`⟦https://h.com/⟧注册账号`), or words that begin a sentence, unless the URL continues after them.
//!
//! LINEAR: the length of each list is fixed.

mod chinese;
mod korean;

use barelink_text::chars::{next_char, prev_char};

pub(super) use chinese::{points, visits};

use super::script::{is_east_asian, is_hiragana, is_jamo};

/// Words that end a name in any context.
const ANYWHERE: &[&str] = &["を", "です", "でした", "について", "によると", "によれば", "ください"];

/// Words that end a name unless it ends in hiragana.
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
    "というページ",
    "という記事",
    "というサイト",
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
    "に行きた",
    "に行きま",
    "に行って",
    "に行った",
    "へ行きた",
    "へ行きま",
    "へ行って",
    "へ行った",
    "も参照",
    "も参考",
];

/// Words that begin no segment before Han, katakana or a digit; those of two or more letters also
/// as whole words.
const BEFORE_NAMES: &[&str] = &[
    "は", "が", "に", "で", "と", "も", "へ", "の", "から", "まで", "には", "では", "とは", "にて",
    "より",
];

/// Counters, which belong to the number before them.
const COUNTERS: &str = "年月号號版届屆章节節页頁条條世万萬亿億元円歳岁년월";

/// Counters only if the word ends there: 3회, but not 3회사.
const WHOLE_COUNTERS: &str = "회차세기대일호";

/// Whether `text`, which follows digits, starts with a counter for them.
pub(super) fn is_counter(text: &[u8]) -> bool {
    next_char(text, 0).is_some_and(|c| {
        let rest = &text[c.len_utf8().min(text.len())..];
        // 版 is a counter, 版本 is what is counted.
        let is_version = c == '版' && next_char(rest, 0) == Some('本');
        (COUNTERS.contains(c) && !is_version)
            || (WHOLE_COUNTERS.contains(c)
                && next_char(rest, 0).is_none_or(|next| !next.is_alphanumeric()))
    })
}

/// Whether a particle starts at `at` with the letter `c`, after the letters of a name.
pub(super) fn ends_name(text: &[u8], at: usize, c: char) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    match c {
        'ぁ'..='ゟ' => {
            let is_behind_name = || prev_char(text, at).is_some_and(|c| !is_hiragana(c));
            starts_with_one(rest, ANYWHERE)
                || (starts_with_one(rest, BEHIND_NAMES) && is_behind_name())
        }
        '가'..='힣' => korean::ends_name(text, at, c),
        _ => is_jamo(c) || chinese::ends_name(text, at, c),
    }
}

/// What a segment follows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Slash {
    /// The slash after the host.
    Host,
    /// The slash after a segment that is a number.
    Number,
    /// Another slash.
    Path,
}

/// Whether the segment that would start with `text`, whose first letter is `c`, is cut off by a
/// particle.
pub(super) fn begins_segment(text: &[u8], c: char, slash: Slash) -> bool {
    match c {
        'ぁ'..='ゟ' => {
            starts_with_one(text, ANYWHERE)
                || BEFORE_NAMES.iter().any(|particle| {
                    text.strip_prefix(particle.as_bytes()).is_some_and(|rest| {
                        let is_long = particle.len() > c.len_utf8();
                        starts_with_name(rest)
                            || rest.first().is_some_and(u8::is_ascii_digit)
                            || (is_long && (ends_word(rest) || goes_on(rest, slash)))
                    })
                })
        }
        '가'..='힣' => korean::begins_segment(text, slash),
        _ => chinese::begins_segment(text, c),
    }
}

/// Whether `rest` continues a sentence after a particle of hiragana, and the two are not the
/// beginning of another word: `からご応募`, and after a host `からの`, `からJSON`.
fn goes_on(rest: &[u8], slash: Slash) -> bool {
    next_char(rest, 0).is_some_and(|c| match slash {
        Slash::Host => "ごおのもは".contains(c) || c.is_ascii_alphanumeric(),
        Slash::Number | Slash::Path => c == 'ご',
    })
}

fn starts_with_one(text: &[u8], particles: &[&str]) -> bool {
    particles.iter().any(|particle| text.starts_with(particle.as_bytes()))
}

/// Whether `text` starts with a letter of Han or katakana.
fn starts_with_name(text: &[u8]) -> bool {
    next_char(text, 0).is_some_and(|c| is_east_asian(c) && !is_hiragana(c))
}

/// Whether `text` starts with `word` as a whole word.
fn is_word(text: &[u8], word: &str) -> bool {
    text.strip_prefix(word.as_bytes()).is_some_and(ends_word)
}

/// Whether a word that precedes `text` ends there.
fn ends_word(text: &[u8]) -> bool {
    next_char(text, 0).is_none_or(|c| !c.is_alphanumeric() && !"/_-%".contains(c))
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
            ("テストというページ", "テスト"),
            ("北海道に行きたい", "北海道"),
            ("대한민국은 어때요", "대한민국"),
            ("경복궁은 몇", "경복궁"),
            ("부산광역시로 검색", "부산광역시"),
            ("珍珠奶茶是台湾的吗", "珍珠奶茶"),
            ("天气预报就有", "天气预报"),
            ("杭州的条目为什么", "杭州"),
            ("清明上河图的人太小了", "清明上河图"),
            ("量子力学太难了。", "量子力学"),
            ("西湖很美", "西湖"),
            ("天气搜一下", "天气"),
            ("東京タワーへ行きました", "東京タワー"),
            ("이순신과", "이순신"),
            ("西湖挺好看的，", "西湖"),
            ("대한민국의 수도", "대한민국"),
            ("한국의 역사", "한국"),
            ("이순신이 누구야", "이순신"),
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
            "산부인과",
            "위키백과",
            "컴퓨터공학과",
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
            "我的文章",
            "我太难了",
            "太阳出来了",
            "很久很久以前",
            "你很好",
            "天气很好的日子里",
            "민주주의",
            "나의 해방일지",
            "불꽃놀이",
            "호랑이 굴",
            "제주도의_역사",
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
            "装的，报错",
            "有中文版",
            "从今天起",
            "で24時間",
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
            "目的",
            "我的",
            "白的迷宫",
            "从化",
            "有机化学",
            "도",
        ] {
            assert!(!begins(text), "{text}");
        }
        assert!(begins_segment("은 ".as_bytes(), '은', Slash::Host));
        assert!(begins_segment("도 ".as_bytes(), '도', Slash::Number));
    }
}
