/** Control characters, line and paragraph separators, and what turns the direction of writing. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** A text in one line that a terminal only shows: what would steer the terminal is written as JSON escapes it. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** As {@link visible}, for a text of several lines: its line feeds stay. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}
