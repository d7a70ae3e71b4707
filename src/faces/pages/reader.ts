import type { Caller } from '../../core/answer.ts';
import type { BrowserContext } from '../../core/browser-context.ts';
import type { Actor } from '../../core/domain/administration.ts';
import type { Holder } from '../../core/domain/user.ts';
import { languageAmong } from '../../core/gate/language-among.ts';
import type { ReadUnit } from '../../core/storage/store.ts';
import { ownerText } from './kept-form.ts';
import type { Reader } from './layout.ts';
import { LANGUAGES, type Language, sayIn } from './texts/texts.ts';

/** The facts that a page knows about its reader. */
interface Context {
  languageAmong(languages: readonly string[]): string | undefined;
  readonly browser: BrowserContext | undefined;
}

/** The reader of a page that needs no sign-in. */
export function anyReader({ languageAmong }: Pick<Context, 'languageAmong'>): Reader {
  const language = languageAmong(LANGUAGES) as Language;
  return { language, say: sayIn(language) };
}

/** What a page speaks if the link to it names these languages, with spaces between them; otherwise what its reader prefers. */
export const preferring = (
  languages: string | undefined,
  otherwise: Context['languageAmong'],
): Context['languageAmong'] =>
  languages === undefined ? otherwise : (all) => languageAmong(all, languages.split(' ').join(', '));

/** The reader of a page for everybody who is signed in. */
export async function userReader(
  context: Context & { readonly caller: Caller; readonly store: ReadUnit },
): Promise<Reader> {
  const { user } = context.caller;
  return readerWith(context, { name: user.name, role: await context.store.roles.of(user.id) }, user);
}

/** The reader of a page of the console. */
export function adminReader(context: Context & { readonly actor: Actor }): Reader {
  return readerWith(context, context.actor, context.actor.user);
}

function readerWith(
  context: Context,
  { name, role }: NonNullable<Reader['user']>,
  user: Holder | undefined,
): Reader {
  const browser = context.browser as BrowserContext;
  const formToken = browser.formTokenOf(browser.ticket ?? '');
  const sealOwner = user && (() => ownerText(browser, user));
  return { ...anyReader(context), user: { name, role }, formToken, sealOwner };
}
