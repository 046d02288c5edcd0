//! The words that made documents consist of, common ones first.

pub(super) const WORDS: &[&str] = &[
    "the", "of", "and", "a", "to", "in", "is", "it", "that", "for", "on", "with", "as", "are",
    "this", "by", "be", "from", "or", "at", "which", "not", "can", "when", "have", "you", "will",
    "one", "all", "if", "each", "more", "other", "time", "they", "their", "than", "then", "into",
    "only", "some", "what", "there", "after", "before", "about", "where", "does", "same", "value",
    "line", "first", "use", "way", "two", "how", "every", "name", "file", "made", "part", "work",
    "new", "text", "most", "many", "such", "place", "reader", "table", "between", "order", "found",
    "number", "small", "write", "list", "little", "under", "again", "still", "begins", "because",
    "without", "another", "message", "change", "server", "reads", "branch", "commit", "string",
    "simple", "usually", "example", "through", "sentence", "document", "returns", "function",
    "written", "question", "different", "paragraph", "important", "character", "something",
    "together", "weather", "morning", "river", "garden", "window", "letter", "kitchen", "harbour",
    "station", "village", "evening", "mountain", "library", "journey", "teacher", "neighbour",
    "wind", "bread", "paper", "stone", "glass", "music", "winter", "summer", "silence", "lantern",
    "distance", "memory", "afternoon", "carefully", "according", "whenever", "otherwise",
    "understand", "repository", "configuration", "environment", "implementation", "responsibility",
    "don't", "isn't", "well-known", "so-called", "naïve", "café", "3.14", "2019", "100",
];

/// Names of things that get linked and listed.
pub(super) const NAMES: &[&str] = &[
    "amber", "basalt", "cedar", "dynamo", "ember", "falcon", "garnet", "harrow", "indigo", "juniper",
    "kestrel", "lumen", "marlin", "nimbus", "osprey", "pollen", "quarry", "rowan", "saffron",
    "tundra", "umber", "velvet", "willow", "xenon", "yarrow", "zephyr",
];

pub(super) const TOP_DOMAINS: &[&str] =
    &["example", "test", "invalid", "example.com", "example.org", "example.net"];

pub(super) const LANGUAGES: &[&str] =
    &["rust", "python", "js", "c", "sh", "html", "toml", "console", "", "rust,ignore"];

/// Lines of code, with what HTML must escape in most of them.
pub(super) const CODE_LINES: &[&str] = &[
    "fn find<'a, T: AsRef<str>>(items: &'a [T], name: &str) -> Option<&'a T> {",
    "    items.iter().find(|item| item.as_ref() == name && !name.is_empty())",
    "}",
    "",
    "    let total = counts.values().map(|&n| n << 2).sum::<u64>();",
    "    if total > limit && total < u64::MAX { return Err(\"too many\".into()); }",
    "for (int i = 0; i < n && p[i] != '\\0'; i++) sum += p[i] * 31;",
    "printf(\"%s: %d\\n\", name, *value & 0xff);",
    "<div class=\"entry\" data-id=\"42\"><a href=\"/a?b=1&amp;c=2\">link</a></div>",
    "$ git log --oneline --graph | head -n 20 > out.txt 2>&1",
    "def parse(line: str, *, strict: bool = True) -> list[str]:",
    "    return [part.strip() for part in line.split(\"|\") if part]",
    "const answer = items.filter((x) => x.size >= 10 && x.name !== \"\");",
    "name = \"value\"  # a comment with <angle> brackets & an ampersand",
    "    // The loop ends here because the last element was seen already.",
    "        self.stack.push(Frame { start, end, kind: Kind::List });",
    "SELECT name, count(*) FROM events WHERE day >= '2024-01-01' GROUP BY name;",
    "export PATH=\"$HOME/bin:$PATH\"",
];

/// Common Chinese words, most common first.
pub(super) const CJK_WORDS: &[&str] = &[
    "的", "是", "在", "一个", "我们", "可以", "使用", "这个", "如果", "需要", "文件", "方法",
    "时候", "数据", "进行", "通过", "函数", "对象", "类型", "返回", "代码", "问题", "内容",
    "系统", "用户", "不同", "因为", "所以", "线程", "内存", "组件", "属性", "事件", "状态",
    "配置", "默认", "例如", "注意", "支持", "实现", "接口", "参数", "字符串", "数组", "服务器",
    "客户端", "请求", "响应", "版本", "项目", "安装", "运行", "测试", "性能", "缓存", "队列",
    "异步", "同步", "编译", "语言",
];
