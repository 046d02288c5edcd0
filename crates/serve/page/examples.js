// Texts to start from. Each shows something that the dialects see differently.

export const EXAMPLES = [
  {
    name: "Quotes and brackets",
    lang: "en",
    text: `She wrote "www.example.com", then (see https://example.com/a_(b)), and
finally <https://example.org/x>. Is 'http://example.net/it' in there?

[draft: https://example.com/notes, ask me@example.com.
`,
  },
  {
    name: "Hosts and odd ends",
    lang: "en",
    text: `The service runs at http://localhost:8080/health and http://[::1]/x.
Old notes: https://my_host.example/x;, WWW.EXAMPLE.COM, http://a.bc/x&copy;

Write to jane.doe+news@example.co.uk. or sales@example.com-
`,
  },
  {
    name: "日本語",
    lang: "ja",
    text: `詳しくは「https://example.com/docs」をご覧ください。
資料はhttps://example.com/資料（2026年版）にあります。
お問い合わせ：info@example.jp、www.example.jp。

これは**「重要」**なお知らせです。
`,
  },
  {
    name: "中文",
    lang: "zh",
    text: `请访问https://example.com/帮助，或者看（www.example.cn）。
**注意：**邮箱是hello@example.cn。文档：https://example.com/a?b=1，谢谢！
`,
  },
  {
    name: "Русский",
    lang: "ru",
    text: `Смотрите «https://пример.испытание/страница» — там всё есть.
Почта: почта@example.com; сайт: www.example.ru…
`,
  },
  {
    name: "العربية",
    lang: "ar",
    text: `زوروا https://example.com/مرحبا، أو راسلونا على info@example.com؟
الموقع: (www.example.com)؛ شكرا.
`,
  },
  {
    name: "Deutsch",
    lang: "de",
    text: `Siehe „https://example.com/größe“, *www.example.de/übersicht* oder
**https://example.org/a**b. Fragen? An frau.müller@example.de!
`,
  },
  {
    name: "Everything else in Markdown",
    lang: "en",
    text: `# A release, with [notes](https://example.com/notes "all of them")

> [!TIP]
> Code has no links: \`https://example.com\`. Tables do:

| where | what |
|---|:-:|
| www.example.com | ~~old~~ |
| https://example.com/new | **new** |

- [x] done, see [the list][list]
- [ ] not yet[^1]

[list]: https://example.com/list
[^1]: Ask at help@example.com.
`,
  },
  {
    name: "An answer of a language model",
    lang: "en",
    text: `## Setting up the client

You can install it from https://example.com/download, or with your package manager:

\`\`\`sh
curl -fsSL https://example.com/install.sh | sh
\`\`\`

**Three things to know** before you start:

1. The API is at https://api.example.com/v2/, *not* at the old address.
2. Keys are created at www.example.com/account/keys (you need an account).
3. Limits are in the table below.

| plan | requests per minute | where |
|---|---:|---|
| free | 60 | https://example.com/free |
| team | 6,000 | [pricing](https://example.com/pricing) |

> [!NOTE]
> If something fails, write to support@example.com, or read the
> [guide][guide] first.

[guide]: https://example.com/guide
`,
  },
];
