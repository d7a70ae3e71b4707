import type { GroupOfUser } from '../../../../core/domain/group.ts';
import { displayNameOf, type Profile } from '../../../../core/domain/profile.ts';
import type { AccountShare } from '../../../../faces/pages/account-sections.ts';
import { type Html, html } from '../../../../faces/pages/html.ts';
import { pageText, type Reader } from '../../../../faces/pages/layout.ts';
import { facts } from '../../../../faces/pages/parts/list.ts';
import { notice } from '../../../../faces/pages/parts/notice.ts';
import { inOrder, type Section } from '../../../../faces/pages/section.ts';
import type { TextKey } from '../../../../faces/pages/texts/texts.ts';
import type { SignInEvent } from '../../rules/sign-in-history.ts';
import { historySection } from './history-view.ts';
import { type ShownTickets, ticketsSection } from './tickets-view.ts';

/** The values on the account page. */
export interface OwnAccount {
  readonly userName: string;
  readonly profile: Profile;
  readonly groups: readonly GroupOfUser[];
  readonly history: readonly SignInEvent[];
  readonly tickets: ShownTickets;
  /** What capabilities show. */
  readonly shares: readonly AccountShare[];
  /** The last change, as the address of the page names it. */
  readonly done: string | undefined;
}

/** The texts after a change. The address names one of these. */
const DONE: ReadonlyMap<string | undefined, TextKey> = new Map([
  ['password', 'account.donePassword'],
  ['ticket', 'account.doneTicket'],
  ['tickets', 'account.doneTickets'],
  ['not-me', 'account.donePassword'],
  ['not-me-elsewhere', 'account.doneTickets'],
  ['app-password', 'account.doneAppPassword'],
  ['app-added', 'account.doneAppAdded'],
  ['app-removed', 'account.doneAppRemoved'],
]);

function profileSection({ say, user }: Reader, { userName, profile, groups }: OwnAccount): Html {
  const name = displayNameOf(userName, profile);
  const role = user?.role;
  const names = groups.map(({ displayName }) => displayName).join(', ');
  return html`<section class="card">${facts([
    [say('account.username'), userName],
    [say('account.name'), name === userName ? undefined : name],
    [say('account.email'), profile.email],
    [say('account.groups'), names || undefined],
    [say('account.role'), role && say(`role.${role}`)],
  ])}<p><a class="button quiet" href="/portal/account/password">${say('account.changePassword')}</a></p></section>`;
}

/** Changes after which the reader may believe that every other sign-in has ended. */
const ENDS_SIGN_INS: ReadonlySet<string | undefined> = new Set([
  ...['password', 'tickets', 'not-me', 'not-me-elsewhere'],
]);

/** Says after such a change what still signs in as the user, and after "This was not me" also if nothing does. */
function stillSigningIn({ say }: Reader, { shares, done }: OwnAccount) {
  if (!ENDS_SIGN_INS.has(done)) return undefined;
  const names = shares.flatMap((share) => share.signingIn(say));
  if (names.length > 0) return notice('warning', say('account.stillSignIn', { names: names.join(', ') }));
  if (done !== 'not-me' && done !== 'not-me-elsewhere') return undefined;
  return html`<p>${say('account.nothingSignsIn')} ${shares.map((share) => share.staying(say))}</p>`;
}

/** The account page. */
export async function accountPage(reader: Reader, account: OwnAccount): Promise<string> {
  const { say } = reader;
  const title = say('account.title');
  const done = DONE.get(account.done);
  const own: readonly Section[] = [
    { order: 10, html: profileSection(reader, account) },
    { order: 30, html: ticketsSection(reader, account.tickets) },
    { order: 50, html: await historySection(reader, account.history) },
  ];
  const body = html`<h1>${title}</h1>
${done && notice('good', say(done))}
${stillSigningIn(reader, account)}
<p>${say('account.signedInAs', { name: account.userName })}</p>
${inOrder([...own, ...account.shares.flatMap((share) => share.sections(reader))])}`;
  return pageText(reader, { title, body, wide: true, current: '/portal/account' });
}
