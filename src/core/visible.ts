/** Control characters, line and paragraph separators, and characters that change the direction of text. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** The text as one line that cannot control a terminal: such characters are escaped as in JSON. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Like {@link visible}, but keeps line feeds. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}
