import { type Html, type HtmlValue, html } from '../html.ts';
import type { Reader } from '../layout.ts';
import { icon } from './icons.ts';

/** The meaning of a notice or a badge for its reader. */
export type Tone = 'good' | 'warning' | 'bad' | 'neutral';

/** A sentence that stands out. A bad one is said at once by screen readers. */
export const notice = (tone: Tone, content: HtmlValue): Html =>
  html`<div class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}">${content}</div>`;

/** A word about the state of something. */
export const badge = (tone: Tone, text: string): Html =>
  html`<span class="badge ${tone}">${tone !== 'neutral' && icon(tone)}${text}</span>`;

/** A text to copy, such as a key that is shown once; with the name of a file, also to download and to print. The script adds the buttons. */
export const copyText = ({ say }: Reader, text: string, file?: string): Html =>
  html`<div class="copy" data-copy="${say('copy.copy')}" data-copied="${say('copy.copied')}" data-file="${file}" data-download="${file && say('copy.download')}" data-print="${file && say('copy.print')}"><code>${text}</code></div>`;
