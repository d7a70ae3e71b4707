import type { XmlElement } from '../../representations/representation.ts';

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // Whoever reads XML takes a bare one for a line feed (XML 1.0, section 2.11).
  '\r': '&#13;',
};
/** Characters that XML 1.0 cannot hold in any spelling. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Most text: nothing in it has to be escaped. */
const PLAIN = /^[\w .:/-]*$/;

/** Text as it stands in XML and HTML; what XML cannot hold becomes U+FFFD. */
export function escapeText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(/[&<>"'\r]/g, (character) => ESCAPES[character] as string)
    .replace(FORBIDDEN, '\u{FFFD}');
}

function write([name, content]: XmlElement): string {
  const inner = typeof content === 'string' ? escapeText(content) : content.map(write).join('');
  return inner === '' ? `<${name}/>` : `<${name}>${inner}</${name}>`;
}

/** The document of an element: the declaration, the element and a line feed, to the byte as clients cut it. */
export function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${write(root)}\n`;
}
