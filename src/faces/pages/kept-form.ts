import type { BrowserCookie, Caller } from '../../core/answer.ts';
import type { BrowserContext } from '../../core/browser-context.ts';
import type { Actor } from '../../core/domain/administration.ts';
import type { KeepForm } from '../../core/http/refusal.ts';
import { openText, type Sealer, sealedText } from '../../core/sealing/sealer.ts';
import { html } from './html.ts';
import type { Reader } from './layout.ts';
import { notice } from './parts/notice.ts';
import { ownAddress } from './return-address.ts';

/** The purpose of the sealed text in a form that says whose page it is, and the milliseconds for which it says so. */
const OWNER = 'form owner';
const OWNER_LIFETIME = 24 * 60 * 60_000;

/** The name of the cookie with a kept form, the purpose of its sealed text, and the milliseconds for which it is kept. */
const FORM = 'form';
const FORM_LIFETIME = 10 * 60_000;

/** The longest cookie, in characters. Browsers keep 4,096 with its name and attributes (RFC 6265 section 6.1). */
const LONGEST = 3_072;

/** The user to whom a page was shown. A name may be another user's later, an id never is. */
interface FormOwner {
  readonly id: number;
  readonly name: string;
}

/** The values of a form by its fields. A browser leaves out what is empty. */
type FormValues = Readonly<Record<string, string>>;

/** A form as the cookie has it. Without values it was too long to keep. */
interface SealedForm {
  readonly user: number;
  readonly page: string;
  readonly values?: FormValues;
}

/** Seals to whom a page is shown. Its forms carry the text, so nobody can make a form for somebody else. */
export const ownerText = (browser: BrowserContext, { id, name }: FormOwner): string =>
  browser.seal(OWNER, { id, name }, OWNER_LIFETIME);

/**
 * Keeps forms that came after the end of their sign-in: sealed in a cookie, for ten minutes, for the user to whom their page was
 * shown. A form that is too long leaves only a note that it was.
 */
export function formsKeptBy(sealer: Sealer, clock: () => number): KeepForm {
  return ({ path, values, keepsFields, user, origin }) => {
    const now = clock();
    const owner = openText(sealer, OWNER, values.formOwner ?? '', now) as FormOwner | undefined;
    if (owner === undefined || (user !== undefined && user !== owner.name)) return undefined;
    const page = ownAddress(path, { origin });
    const fields = Object.entries(values).filter(([name]) => keepsFields.includes(name));
    const sealed = (form: SealedForm) => sealedText(sealer, FORM, form, now + FORM_LIFETIME);
    const whole = sealed({ user: owner.id, page, values: Object.fromEntries(fields) });
    const value = whole.length > LONGEST ? sealed({ user: owner.id, page }) : whole;
    if (value.length > LONGEST) return undefined;
    return { page, cookie: { name: FORM, value, maxAge: FORM_LIFETIME / 1_000 } };
  };
}

/** Has a browser that signs out forget the form that it keeps. */
export const NO_FORM: BrowserCookie = { name: FORM, value: 'none' };

/** What a page shows of the form that its browser keeps. */
export interface KeptForm {
  /** The reader, whose form begins with a notice if one was kept. */
  readonly reader: Reader;
  /** What the reader wrote; undefined if nothing is kept. */
  readonly values?: FormValues | undefined;
  /** For the answer of the page: it has the browser forget the form, which is shown once. */
  readonly booked: { readonly cookies?: readonly BrowserCookie[] };
}

/** The part of a page's context that tells its reader. */
interface ReaderContext {
  readonly browser: BrowserContext | undefined;
  readonly actor?: Actor;
  readonly caller?: Caller;
}

/** The form that this browser keeps for its reader and the page at this path. The form of another user is forgotten. */
export function keptForm(
  reader: Reader,
  { browser, actor, caller }: ReaderContext,
  path: string,
  { hasPassword = false }: { readonly hasPassword?: boolean } = {},
): KeptForm {
  const { cookie, unseal } = browser as BrowserContext;
  const text = cookie(FORM);
  if (text === undefined) return { reader, booked: {} };
  const form = unseal(FORM, text) as SealedForm | undefined;
  const booked = { cookies: [NO_FORM] };
  if (form === undefined || form.user !== (actor?.user ?? caller?.user)?.id) return { reader, booked };
  if (form.page !== path) return { reader, booked: {} };
  const { values } = form;
  const { say } = reader;
  const password = hasPassword && values && html`<p>${say('form.passwordNotKept')}</p>`;
  const sentence = say(values ? 'form.kept' : 'form.tooLongToKeep');
  const keptNotice = notice('warning', html`<p>${sentence}</p>${password}`);
  return { reader: { ...reader, keptNotice }, values, booked };
}
