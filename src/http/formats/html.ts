import type { Page } from '../../representations/representation.ts';
import { escapeText } from './xml.ts';

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem;color:#222;background:#fff}
h1{font-size:1.5rem}dt{font-weight:600}dd{margin:0 0 .75rem}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}}`;

/** A page for people. */
export function htmlDocument({ title, rows }: Page): string {
  const list = rows.map(([label, text]) => `<dt>${escapeText(label)}</dt><dd>${escapeText(text)}</dd>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeText(title)}</title><style>${STYLE}</style></head>
<body><h1>${escapeText(title)}</h1><dl>
${list.join('\n')}
</dl></body></html>
`;
}
