import { type Brand, nameIn } from '../../core/domain/brand.ts';
import { brandLinks } from '../../faces/pages/foot.ts';
import { html } from '../../faces/pages/html.ts';
import { type Language, sayIn } from '../../faces/pages/texts/texts.ts';
import type { LetterName } from './letters.ts';
import type { OutgoingMail } from './transport.ts';

export interface LetterContent {
  readonly language: Language;
  readonly name: LetterName | 'test';
  /** The name that the person is greeted by, and the user name. */
  readonly displayName: string;
  readonly userName: string;
  /** When the event happened, in epoch milliseconds, and the address that it came from, if it says more than where a command ran. */
  readonly at: number;
  readonly from?: string | undefined;
  /** The name of the program, if it tells one. */
  readonly program?: string | undefined;
  /** The whole address of the link, if it has one, and until when it works. */
  readonly link?: string | undefined;
  readonly until?: number | undefined;
  readonly portal: string;
  readonly brand: Brand;
}

const timeIn = (language: Language, at: number) =>
  `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(at)} UTC`;

/** A letter as text and as HTML: paragraphs alone, without pictures, so that it is read the same everywhere. */
export function letterText(content: LetterContent): Omit<OutgoingMail, 'to'> {
  const { language, name, at, portal, brand } = content;
  const say = sayIn(language);
  const values = {
    name: content.displayName,
    user: content.userName,
    service: brand.brandName === '' ? new URL(portal).host : nameIn(brand),
    link: content.link ?? '',
    portal,
    at: timeIn(language, at),
    until: timeIn(language, content.until ?? at),
    from: content.from ?? '–',
    program: content.program ?? say('tickets.unknownProgram'),
  };
  const body = [say('mail.greeting', values), ...say(`mail.${name}.text`, values).split('\n')];
  const links = brandLinks({ say, brand }).map(({ text, to }) => `${text}: ${to}`);
  const paragraphs = [...body, say('mail.footer', values), ...links];
  const shown = paragraphs.map((text) =>
    /^https?:\/\/\S+$/.test(text) ? html`<p><a href="${text}">${text}</a></p>\n` : html`<p>${text}</p>\n`,
  );
  const page = html`<html lang="${language}"><head><meta charset="utf-8"></head><body>\n${shown}</body></html>\n`;
  return {
    subject: say(`mail.${name}.subject`, values),
    text: `${paragraphs.join('\n\n')}\n`,
    html: `<!doctype html>\n${page}`,
  };
}
