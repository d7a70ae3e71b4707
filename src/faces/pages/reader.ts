import type { Caller } from '../../core/answer.ts';
import type { BrowserContext } from '../../core/browser-context.ts';
import type { Actor } from '../../core/domain/administration.ts';
import type { PageLook } from '../../core/domain/brand.ts';
import type { Holder } from '../../core/domain/user.ts';
import { languageAmong } from '../../core/gate/language-among.ts';
import type { ReadUnit } from '../../core/storage/store.ts';
import { THEMES } from './foot.ts';
import { ownerText } from './kept-form.ts';
import type { Reader } from './layout.ts';
import { LANGUAGES, type Language, sayIn } from './texts/texts.ts';

/** The facts that a page knows about its reader. */
interface Context {
  languageAmong(languages: readonly string[]): string | undefined;
  readonly browser: PageLook | undefined;
}

/** The cookies with the language and the theme that a reader chose. */
export const LANGUAGE = 'language';
export const THEME = 'theme';

/**
 * The reader of a page that needs no sign-in. Its language is the one that the reader chose. Otherwise it is among these, which a link
 * names with spaces between them; without a link it is the one that the browser prefers.
 */
export function anyReader({ languageAmong: preferred, browser }: Context, languages?: string): Reader {
  const chosen = LANGUAGES.find((each) => each === browser?.cookie(LANGUAGE));
  const otherwise = () =>
    languages === undefined
      ? preferred(LANGUAGES)
      : languageAmong(LANGUAGES, languages.split(' ').join(', '));
  const language = chosen ?? (otherwise() as Language);
  const theme = THEMES.find((each) => each === browser?.cookie(THEME));
  return { language, say: sayIn(language), brand: browser?.brand, theme };
}

/** The reader of a page for everybody who is signed in. */
export async function userReader(
  context: Context & { readonly caller: Caller; readonly store: ReadUnit },
  languages?: string,
): Promise<Reader> {
  const { user } = context.caller;
  return readerWith(
    context,
    { name: user.name, role: await context.store.roles.of(user.id) },
    user,
    languages,
  );
}

/** The reader of a page of the console. */
export function adminReader(context: Context & { readonly actor: Actor }): Reader {
  return readerWith(context, context.actor, context.actor.user);
}

function readerWith(
  context: Context,
  { name, role }: NonNullable<Reader['user']>,
  user: Holder | undefined,
  languages?: string,
): Reader {
  const browser = context.browser as BrowserContext;
  const formToken = browser.formTokenOf(browser.ticket ?? '');
  const sealOwner = user && (() => ownerText(browser, user));
  const { consoleSections } = browser;
  return { ...anyReader(context, languages), user: { name, role }, formToken, sealOwner, consoleSections };
}
