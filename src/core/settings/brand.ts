import { readFileSync } from 'node:fs';
import type { Brand } from '../domain/brand.ts';
import { fault, type Parser } from './parsers.ts';
import { type Plain, type Setting, setting } from './setting.ts';

const LONGEST_NAME = 60;

/** A name on one line, as pages and mails show it. Empty if there is none. */
const shownName: Parser<string> = (text) => {
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text) || text.trim() !== text || text.length > LONGEST_NAME)
    throw fault(
      text,
      `name for pages: write one line of at most ${LONGEST_NAME} characters, without blanks around it`,
    );
  return text;
};

/** A colour as #rrggbb, in small letters. Empty if there is none. */
const colour: Parser<string> = (text) => {
  if (!/^(?:#[0-9a-f]{6})?$/i.test(text))
    throw fault(text, 'colour: write six hexadecimal digits behind #, such as #2f50c2');
  return text.toLowerCase();
};

/** The address of a page of the web. Empty if there is none. */
const webAddress: Parser<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password === '';
  if (text !== '' && !isWeb)
    throw fault(text, 'address of a page: write one such as https://www.example.org/help');
  return url?.href ?? '';
};

const MOST_BYTES = 65_536;
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** A PNG within an SVG, so that pages load each logo in one way. */
function wrapped(png: Buffer): string {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><image width="${width}" height="${height}" href="data:image/png;base64,${png.toString('base64')}"/></svg>`;
}

/** The text of the SVG in a file, or of one around the PNG in it. Empty if no file is named. */
const logo: Parser<string> = (file) => {
  if (file === '') return '';
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw fault(file, `file that can be read (${(error as Error).message}): write the path of a logo`);
  }
  if (bytes.length > MOST_BYTES)
    throw fault(file, `logo of at most ${MOST_BYTES} bytes, it has ${bytes.length}: make it smaller`);
  if (bytes.subarray(0, PNG.length).equals(PNG) && bytes.length > 24) return wrapped(bytes);
  const text = bytes.toString();
  if (!/^\ufeff?\s*<(?:svg|\?xml|!--|!DOCTYPE svg)[\s>][\s\S]*<\/svg>\s*$/i.test(text))
    throw fault(file, 'logo: name a file with an SVG or a PNG');
  return text;
};

/** What people see of the operator on each page and in each mail. */
export const BRAND = {
  brandName: setting(
    shownName,
    '',
    'The name on pages and in mails, such as Example Tickets; empty: Tessera.',
  ),
  brandLogo: setting(
    logo,
    '',
    'File with the logo of pages: an SVG or a PNG of at most 64 KiB; empty: the mark of Tessera.',
  ),
  brandAccent: setting(
    colour,
    '',
    'Colour of links and buttons, such as #2f50c2; pages make it darker or lighter until it can be read. Empty: that of Tessera.',
  ),
  brandHelpUrl: setting(webAddress, '', 'Page with help for people, linked at the foot of each page.'),
  brandImprintUrl: setting(webAddress, '', 'Page with the imprint, linked at the foot of each page.'),
  brandPrivacyUrl: setting(webAddress, '', 'Page about privacy, linked at the foot of each page.'),
} satisfies Record<keyof Brand, Setting<Plain>>;
