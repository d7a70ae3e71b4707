const NAMES =
  'u|pw|oldpw|newpw|password|ticket|alf_ticket|token|access_token|id_token|refresh_token|client_secret|authorization';
/** What is between the quotes of a text in JSON, and of a text in JSON that is itself in a text. */
const TEXT = String.raw`(?:[^"\\]|\\.)*`;
const NESTED_TEXT = String.raw`(?:[^"\\]|\\\\(?:\\.|[^"\\])|\\[^"\\])*`;

/** Secrets by their shape, wherever they are in a line, and what is left of them. */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/(\bSECRET_)[0-9a-f]{8,}/gi, '$1***'],
  [/(\btap_)[a-z2-7]{8,}/gi, '$1***'],
  [/(\btsk_)[\w-]{8,}/g, '$1***'],
  [/(\beyJ)[\w-]{8,}(?:\.[\w-]*){1,4}/g, '$1***'],
  [/(TICKET_)[^\s"'&;,)\\]*/g, '$1***'],
  [/\b((?:basic|bearer)\s+)[\w+/=.~-]{4,}/gi, '$1***'],
  [new RegExp(String.raw`("(?:${NAMES})"\s*:\s*")${TEXT}`, 'gi'), '$1***'],
  [new RegExp(String.raw`("(?:${NAMES})"\s*:\s*\[\s*")${TEXT}(?:"\s*,\s*"${TEXT})*`, 'gi'), '$1***'],
  [new RegExp(String.raw`(\\"(?:${NAMES})\\"\s*:\s*\\")${NESTED_TEXT}`, 'gi'), '$1***'],
  [new RegExp(String.raw`((\\?")(?:${NAMES})\2\s*:\s*)-?\d[\d.e+-]*`, 'gi'), '$1$2***$2'],
  [/(\bauthorization\s*[:=]\s*)[^\s"\\,]+(?:\s+[\w+/=.~-]+)?/gi, '$1***'],
  [
    /(\b(?:u|pw|oldpw|newpw|password|ticket|alf_ticket|(?:access_|id_|refresh_)?token|client_secret)=)(?:[^&\s"\\]|\\.)*/gi,
    '$1***',
  ],
  [/(\b(?:pw|oldpw|newpw|password|alf_ticket):\s+)(?:'(?:[^'\\]|\\.)*'|(?:[^\s"\\,}]|\\.)+)/gi, '$1***'],
];

/** Every shape contains one of these. Most lines contain none, and are done after one test. */
const SUSPECT =
  /TICKET_|\bSECRET_|\btsk_|\btap_|\beyJ|basic\s|bearer\s|authorization|password|ticket["'\\=:]|token["'\\=:]|client_secret|\b(?:u|pw|oldpw|newpw)["'\\=:]/i;

/** The text with every secret in it masked (specification, section 3). */
export function redact(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return SHAPES.reduce((masked, [shape, left]) => masked.replace(shape, left), text);
}
