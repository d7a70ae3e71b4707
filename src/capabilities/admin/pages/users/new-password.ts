import { randomInt } from 'node:crypto';
import type { Refusal } from '../../../../core/domain/refusal.ts';
import { Type } from '../../../../core/schema.ts';
import { userAddress } from '../../../../faces/pages/console/addresses.ts';
import { consolePage } from '../../../../faces/pages/console/layout.ts';
import { type Html, html } from '../../../../faces/pages/html.ts';
import type { Reader } from '../../../../faces/pages/layout.ts';
import type { PageSent } from '../../../../faces/pages/page.ts';
import { lineField, tickField } from '../../../../faces/pages/parts/form.ts';
import { facts } from '../../../../faces/pages/parts/list.ts';
import { copyText, notice } from '../../../../faces/pages/parts/notice.ts';

/** Characters that people do not take for one another. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 5;

/** A random password of almost 100 bits, which people can read out: five groups of four characters. */
function makePassword(): string {
  const character = () => ALPHABET[randomInt(ALPHABET.length)];
  const group = () => Array.from({ length: 4 }, character).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/** The password of a form and whether the user has to change it, as members of the form. */
export const passwordMembers = {
  password: Type.Optional(Type.String({ description: 'The password. Empty: one is made.' })),
  mustChangePassword: Type.Optional(Type.String({ description: 'true: it has to be changed.' })),
};

/** A password that a form gives, or that was made for it, and its hash or why it is refused. */
export interface PreparedPassword {
  readonly password: string;
  readonly isMade: boolean;
  readonly hash: string | Refusal;
}

/** Hashes the password of a form, or one that it makes if the form has none. */
export async function preparePassword(
  passwords: { hashNew(name: string, password: string): Promise<string | Refusal> },
  name: string,
  text: string | undefined,
): Promise<PreparedPassword> {
  const password = text || makePassword();
  return { password, isMade: !text, hash: await passwords.hashNew(name, password) };
}

/** Whether a refusal is about the password that was typed. */
export const isAboutPassword = ({ refused }: Refusal) => refused === 'new_password_refused';

/** The fields that ask for a password. What was typed is never shown again. */
export function passwordFields(reader: Reader, mustChange: boolean, fault?: string): Html {
  const { say } = reader;
  const password = lineField(reader, {
    name: 'password',
    type: 'password',
    autocomplete: 'new-password',
    isOptional: true,
    label: say('console.users.password'),
    hint: say('console.users.passwordHint'),
    strengthUrl: '/portal/password-strength',
    fault,
  });
  const tick = tickField({
    name: 'mustChangePassword',
    isTicked: mustChange,
    label: say('console.users.mustChange'),
    hint: say('console.users.mustChangeHint'),
  });
  return html`${password}${tick}`;
}

/** Where a user signs in, and whether that asks for another password. */
interface FirstSignIn {
  /** The scheme and host of this service, as the reader reached it. */
  readonly origin: string;
  readonly mustChange: boolean;
}

/** What to pass on to a user: where to sign in, under which name, and with which password, which is not shown. */
export function passOn(
  { say }: Reader,
  name: string,
  { origin, mustChange }: FirstSignIn,
  isMade = false,
): Html {
  const which = say(isMade ? 'console.users.passOn.made' : 'console.users.passOn.typed');
  return html`<h2>${say('console.users.passOn')}</h2>${facts([
    [say('console.users.passOn.address'), html`<code>${origin}/portal/login</code>`],
    [say('console.users.name'), html`<code>${name}</code>`],
    [say('console.users.password'), html`${which} ${mustChange && say('console.users.passOn.change')}`],
  ])}`;
}

/** The page that shows a password that was made, once. */
export function madePasswordPage(
  reader: Reader,
  name: string,
  password: string,
  signIn: FirstSignIn,
): PageSent {
  const { say } = reader;
  return consolePage(reader, {
    title: say('console.users.madeTitle', { name }),
    current: userAddress(name),
    body: html`<div class="card narrow">${notice('good', say('console.users.made'))}
${copyText(reader, password)}
<p>${say('console.users.madeOnce')}</p>${passOn(reader, name, signIn, true)}
<p><a class="button" href="${userAddress(name)}">${say('console.users.toUser', { name })}</a></p></div>`,
  });
}
