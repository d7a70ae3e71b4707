import type { Caller } from '../../../../core/answer.ts';
import type { BrowserContext } from '../../../../core/browser-context.ts';
import type { ChangeEvent } from '../../../../core/domain/event.ts';
import { isRefusal, refuse } from '../../../../core/domain/refusal.ts';
import type { HeldTicket } from '../../../../core/domain/ticket.ts';
import type { User } from '../../../../core/domain/user.ts';
import { type AnyOperation, answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import type { ReadUnit, WriteUnit } from '../../../../core/storage/store.ts';
import type { OtherCredentials } from '../../../../faces/pages/account-sections.ts';
import { form, page, seeOther } from '../../../../faces/pages/page.ts';
import { provedRecently, proveFirst } from '../../../../faces/pages/proof.ts';
import { userReader } from '../../../../faces/pages/reader.ts';
import { changeOwnPassword, prepareOwnPassword } from '../../rules/own-password.ts';
import { changesAt } from '../../rules/passwords-elsewhere.ts';
import { endOtherTickets } from '../../rules/tickets.ts';
import { credentialsInForm, NOT_ME, notMePage, refusedNotMe } from './not-me-view.ts';
import { isUnproved, PASSWORD_PAGE } from './password.get.ts';

const common = { paths: ['/account/not-me'], authentication: 'user' } as const;

/** The context of these pages. */
interface NotMeContext {
  readonly caller: Caller;
  readonly browser: BrowserContext | undefined;
  readonly store: ReadUnit;
}

/**
 * The caller, or the answer that asks for a proof first. The current password in the form is a proof, unless the user has a
 * second factor or its password elsewhere.
 */
async function ownerOf(context: NotMeContext) {
  const user = (await context.store.users.find(context.caller.user.id)) as User;
  const needsProof = user.provider === undefined ? await isUnproved(context) : !provedRecently(context);
  return needsProof ? { leads: proveFirst(NOT_ME) } : { user };
}

/** Shows the credentials of these kinds. */
const get = (kinds: readonly OtherCredentials[]) =>
  page({
    ...common,
    id: 'org/service/repository/portal/account/not-me.get',
    summary: 'Show what a user can do about a sign-in that was somebody else’s.',
    method: 'GET',
    input: {},
    async perform(context) {
      const owner = await ownerOf(context);
      if ('leads' in owner) return owner.leads;
      const { provider } = owner.user;
      const own = await Promise.all(kinds.map((kind) => kind.ofUser(context.store, owner.user)));
      const credentials = own.flat().map((credential) => ({ credential, isTicked: credential.isTicked }));
      const changesHere = changesAt(context.passwordsElsewhere, provider);
      const passwordPage = changesHere ? PASSWORD_PAGE : provider && context.passwordPages[provider];
      return answer({ text: notMePage(await userReader(context), { credentials, provider, passwordPage }) });
    },
  });

/** Removes the credentials that the form ticks. Returns the events of that. */
async function removeTicked(
  store: WriteUnit,
  user: User,
  form: Readonly<Record<string, string>>,
  kinds: readonly OtherCredentials[],
): Promise<readonly ChangeEvent[]> {
  const events: ChangeEvent[] = [];
  for (const { credential, isTicked } of credentialsInForm(form, kinds))
    if (isTicked) events.push(...((await credential.remove(store, user))?.events ?? []));
  return events;
}

const password = (description: string) => Type.Optional(Type.String({ description }));

/** Removes credentials of these kinds. */
const post = (kinds: readonly OtherCredentials[]) =>
  page({
    ...common,
    id: 'org/service/repository/portal/account/not-me.post',
    summary: 'Change the own password, end all other own tickets, and remove credentials.',
    method: 'POST',
    input: {
      body: form({
        oldPassword: password('The old password, if it is kept here.'),
        newPassword: password('The new password.'),
      }),
    },
    refusedHtml: refusedNotMe(kinds),
    async prepare({ input: { body }, caller, passwords }) {
      const { oldPassword, newPassword } = body;
      if (oldPassword === undefined && newPassword === undefined) return undefined;
      if (oldPassword === undefined) return refuse('old_password_missing');
      if (newPassword === undefined) return refuse('new_password_missing');
      // A password that is kept elsewhere changes on the page for that: if it is refused there, the tickets end nevertheless.
      return prepareOwnPassword(passwords, caller.user.name, { oldPassword, newPassword });
    },
    async perform(context) {
      const { prepared, caller, confirm, store, passwordPages, ticketState, input } = context;
      const owner = await ownerOf(context);
      if ('leads' in owner) return owner.leads;
      const { user } = owner;
      const isHere = user.provider === undefined;
      if (isHere && prepared === undefined) return refuse('old_password_missing');
      const outcome =
        prepared === undefined
          ? await endOtherTickets(store, caller.heldTicket as HeldTicket, ticketState)
          : await changeOwnPassword(store, prepared, confirm, caller.heldTicket, passwordPages);
      if (isRefusal(outcome)) return outcome;
      const removed = await removeTicked(store, user, input.body, kinds);
      const done = isHere ? 'not-me' : 'not-me-elsewhere';
      return seeOther(`/portal/account?done=${done}`, { changes: [...outcome.events, ...removed] });
    },
  });

/**
 * The page for a sign-in that was somebody else's (specification, section 18). In one step the password changes, all other tickets
 * end, and the credentials of these kinds go that the user ticks: app passwords, unless the user unticks them.
 */
export const notMePages = (kinds: readonly OtherCredentials[]): readonly AnyOperation[] => [
  get(kinds),
  post(kinds),
];
