const NAMES = 'u|pw|password|ticket|alf_ticket|token|client_secret|authorization';
/** What stands between the quotes of a text in JSON, and of one in JSON that itself stands in a text. */
const TEXT = String.raw`(?:[^"\\]|\\.)*`;
const NESTED_TEXT = String.raw`(?:[^"\\]|\\\\(?:\\.|[^"\\])|\\[^"\\])*`;

/** Secrets by their shape, wherever they stand in a line, and what is left of them. */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/(\bSECRET_)[0-9a-f]{8,}/gi, '$1***'],
  [/(TICKET_)[^\s"'&;,)\\]*/g, '$1***'],
  [/\b((?:basic|bearer)\s+)[\w+/=.~-]{4,}/gi, '$1***'],
  [new RegExp(String.raw`("(?:${NAMES})"\s*:\s*")${TEXT}`, 'gi'), '$1***'],
  [new RegExp(String.raw`("(?:${NAMES})"\s*:\s*\[\s*")${TEXT}(?:"\s*,\s*"${TEXT})*`, 'gi'), '$1***'],
  [new RegExp(String.raw`(\\"(?:${NAMES})\\"\s*:\s*\\")${NESTED_TEXT}`, 'gi'), '$1***'],
  [new RegExp(String.raw`((\\?")(?:${NAMES})\2\s*:\s*)-?\d[\d.e+-]*`, 'gi'), '$1$2***$2'],
  [/(\bauthorization\s*[:=]\s*)[^\s"\\,]+(?:\s+[\w+/=.~-]+)?/gi, '$1***'],
  [/(\b(?:u|pw|password|ticket|alf_ticket|token|client_secret)=)(?:[^&\s"\\]|\\.)*/gi, '$1***'],
  [/(\b(?:pw|password|alf_ticket):\s+)(?:'(?:[^'\\]|\\.)*'|(?:[^\s"\\,}]|\\.)+)/gi, '$1***'],
];

/** What every shape has in it: most lines hold none of this and are passed at one look. */
const SUSPECT =
  /TICKET_|\bSECRET_|basic\s|bearer\s|authorization|password|ticket["'\\=:]|token["'\\=:]|client_secret|\b(?:u|pw)["'\\=:]/i;

/** The text with every secret in it masked (`wire.md` section 3). */
export function redact(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return SHAPES.reduce((masked, [shape, left]) => masked.replace(shape, left), text);
}
