import { type Brand, NO_BRAND } from '../../core/domain/brand.ts';
import { type Html, html } from './html.ts';
import { LANGUAGES, type Language, type Say, sayIn } from './texts/texts.ts';

/** The schemes of colours that a reader can choose in place of that of the device. */
export const THEMES = ['light', 'dark'] as const;

/** How a page looks and speaks. */
export interface PageStyle {
  readonly language: Language;
  readonly say: Say;
  /** The name, logo, colour and links of the operator; those of Tessera without it. */
  readonly brand?: Brand | undefined;
  /** The scheme that the reader chose. */
  readonly theme?: (typeof THEMES)[number] | undefined;
}

/** Where the switches send what the reader chose. */
export const LOOK = '/portal/look';

/** The links at the foot of pages: to the help, the imprint and the page about privacy of the operator. */
export function brandLinks({ say, brand = NO_BRAND }: Pick<PageStyle, 'say' | 'brand'>) {
  const links = [
    { text: say('foot.help'), to: brand.brandHelpUrl },
    { text: say('foot.imprint'), to: brand.brandImprintUrl },
    { text: say('foot.privacy'), to: brand.brandPrivacyUrl },
  ];
  return links.filter(({ to }) => to !== '');
}

/** The foot of a page: the links of the operator, and the switches for language and theme. They work without scripts. */
export function pageFoot(reader: PageStyle): Html {
  const { say, language, theme = 'device' } = reader;
  const links = brandLinks(reader).map(({ text, to }) => html`<a href="${to}">${text}</a>\n`);
  const languages = LANGUAGES.map(
    (each) =>
      html`<button class="plain" name="language" value="${each}" lang="${each}" aria-pressed="${each === language && 'true'}">${sayIn(each)('foot.thisLanguage')}</button>\n`,
  );
  const themes = (['device', ...THEMES] as const).map(
    (each) =>
      html`<button class="plain" name="theme" value="${each}" aria-pressed="${each === theme && 'true'}">${say(`foot.theme.${each}`)}</button>\n`,
  );
  return html`<footer class="foot">${links.length > 0 && html`<p>${links}</p>`}
<form class="looks" method="post" action="${LOOK}"><span role="group" aria-label="${say('foot.language')}">${languages}</span><span role="group" aria-label="${say('foot.theme')}">${themes}</span></form></footer>`;
}
