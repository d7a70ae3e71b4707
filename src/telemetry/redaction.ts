/** Secrets by their shape, wherever they stand in a line: each pattern keeps its first group only. */
const SHAPES: readonly RegExp[] = [
  /(TICKET_)[^\s"'&;,)\\]*/g,
  /\b((?:basic|bearer)\s+)[\w+/=.~-]{4,}/gi,
  /([?&](?:u|pw|password|ticket|alf_ticket)=)[^&\s"'\\]*/gi,
  /(\\?"(?:u|pw|password|ticket|alf_ticket|authorization)\\?"\s*:\s*\\?")(?:[^"\\]|\\(?!")[\s\S])*/gi,
  /(\bauthorization\s*[:=]\s*)[^\s"\\,]+(?:\s+[\w+/=.~-]+)?/gi,
];

/** The text with every secret in it masked (`wire.md` section 3). */
export function redact(text: string): string {
  return SHAPES.reduce((masked, shape) => masked.replace(shape, '$1***'), text);
}
