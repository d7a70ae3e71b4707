import type { Answer, Caller } from '../../../../core/answer.ts';
import type { BrowserContext } from '../../../../core/browser-context.ts';
import type { Passkey } from '../../../../core/domain/passkey.ts';
import type { HeldTicket } from '../../../../core/domain/ticket.ts';
import { isPasswordless, type User } from '../../../../core/domain/user.ts';
import { type AnyOperation, answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import type { ReadUnit } from '../../../../core/storage/store.ts';
import { form, type PageSent, page, seeOther } from '../../../../faces/pages/page.ts';
import { programName } from '../../../../faces/pages/program-name.ts';
import { provedRecently, proveFirst } from '../../../../faces/pages/proof.ts';
import { userReader } from '../../../../faces/pages/reader.ts';
import type { Say } from '../../../../faces/pages/texts/texts.ts';
import { newChallenge } from '../../passkeys/challenge.ts';
import { creationOptions } from '../../passkeys/options.ts';
import { addPasskey, removePasskey } from '../../rules/passkeys.ts';
import { secondFactorsOf } from '../../rules/second-factors.ts';
import { PASSKEYS } from '../account/second-factor-view.ts';
import {
  ADD_PASSKEY,
  addPasskeyPage,
  idOf,
  passkeysPage,
  REMOVE_PASSKEY,
  removePasskeyPage,
} from './account-view.ts';
import { newPasskeyIn, REGISTERS } from './new-passkey.ts';
import { newUserHandle, optionsForScript, partyOf, takesPasskeys } from './options.ts';

/** The part of a page's context that these pages need. */
interface PasskeyOwner {
  readonly caller: Caller;
  readonly browser: BrowserContext | undefined;
  readonly store: ReadUnit;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Does the work for the caller, if that is a user who can have passkeys and, unless it only looks, has proved again who it is. Any
 * other one is led to the page that comes first.
 */
async function forOwner<T>(
  context: PasskeyOwner,
  needsProof: string | undefined,
  work: (user: User) => Promise<T>,
): Promise<T | Answer<PageSent>> {
  const user = await context.store.users.find(context.caller.user.id);
  if (user === undefined || isPasswordless(user) || !takesPasskeys(context.browser as BrowserContext))
    return seeOther('/portal/account');
  return needsProof !== undefined && !provedRecently(context) ? proveFirst(needsProof) : work(user);
}

const list = page({
  id: 'org/service/repository/portal/passkeys/passkeys.get',
  summary: 'Show the own passkeys.',
  method: 'GET',
  paths: ['/account/passkeys'],
  authentication: 'user',
  input: {
    query: Type.Object({
      done: Type.Optional(Type.String({ description: 'The last change, which the page names.' })),
    }),
  },
  perform: (context) =>
    forOwner(context, undefined, async ({ id }) => {
      const factors = await secondFactorsOf(context.store, id);
      const { done } = context.input.query;
      return answer({ text: passkeysPage(await userReader(context), { ...factors, done }) });
    }),
});

/** A name for a new passkey that the user can keep: that of this browser, with a number if there is one of this name. */
async function suggestedName(
  { caller, store }: PasskeyOwner,
  own: readonly Passkey[],
  say: Say,
): Promise<string> {
  const [origin] = await store.tickets.originsOf([(caller.heldTicket as HeldTicket).ticket]);
  const program = (await programName(origin?.program, say)) ?? say('passkeys.suggested');
  const names = own.map(({ name }) => name);
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? program : `${program} ${n}`;
    if (!names.includes(name)) return name;
  }
}

const addForm = page({
  id: 'org/service/repository/portal/passkeys/add.get',
  summary: 'Show the form for a new passkey.',
  method: 'GET',
  paths: ['/account/passkeys/add'],
  authentication: 'user',
  input: {
    query: Type.Object({
      why: Type.Optional(Type.String({ description: 'Why no passkey was added.' })),
      name: Type.Optional(Type.String({ description: 'The name that was entered.', maxLength: 200 })),
    }),
  },
  perform: (context) =>
    forOwner(context, ADD_PASSKEY, async ({ id }) => {
      const { why, name } = context.input.query;
      const reader = await userReader(context);
      const status =
        name ?? (await suggestedName(context, await context.store.passkeys.ofUser(id), reader.say));
      return answer({ text: addPasskeyPage(reader, { name: status, why }) });
    }),
});

const options = optionsForScript({
  id: 'org/service/repository/portal/passkeys/options.post',
  summary: 'Give what a browser needs to make a passkey.',
  paths: ['/account/passkeys/options'],
  authentication: 'user',
  access: 'read',
  input: { body: form({}) },
  perform: (context) =>
    forOwner(context, ADD_PASSKEY, async ({ id, name }) => {
      const browser = context.browser as BrowserContext;
      const own = await context.store.passkeys.ofUser(id);
      const userHandle = own[0]?.userHandle.toString('base64url') ?? newUserHandle();
      const ceremony = { at: context.now, userId: id, userHandle };
      const { challenge, cookies } = newChallenge(browser, REGISTERS, ceremony);
      const named = { userHandle, name, displayName: name };
      return answer(creationOptions(partyOf(browser), named, challenge, own), { cookies });
    }),
});

const add = page({
  id: 'org/service/repository/portal/passkeys/passkeys.post',
  summary: 'Add a passkey.',
  method: 'POST',
  paths: ['/account/passkeys'],
  authentication: 'user',
  input: {
    body: form({
      name: Type.String({ description: 'The name of the passkey.', maxLength: 200 }),
      credential: Type.String({ description: 'The answer of the authenticator.' }),
    }),
  },
  prepare: ({ input: { body }, browser }) => newPasskeyIn(browser as BrowserContext, body.credential),
  perform: (context) =>
    forOwner(context, ADD_PASSKEY, async (user) => {
      const { prepared, store, now, input } = context;
      const name = input.body.name.trim();
      const again = (why: string) => seeOther(`${ADD_PASSKEY}?${new URLSearchParams({ why, name })}`);
      if (prepared?.userHandle === undefined || prepared.userId !== user.id) return again('refused');
      const { credentialId, publicKey, signCount, transports, at, userHandle } = prepared;
      const outcome = await addPasskey(store, user, {
        credentialId,
        publicKey,
        signCount,
        transports,
        name,
        userId: user.id,
        userHandle: Buffer.from(userHandle, 'base64url'),
        madeAt: now,
        usedAt: undefined,
        challengeAt: at,
      });
      if ('fault' in outcome) return again(outcome.fault);
      return seeOther(`${PASSKEYS}?done=added`, { changes: outcome.events });
    }),
});

const removal = { id: Type.String({ description: 'The id of the passkey.', maxLength: 2_000 }) };

const removeForm = page({
  id: 'org/service/repository/portal/passkeys/remove.get',
  summary: 'Ask before a passkey is removed.',
  method: 'GET',
  paths: ['/account/passkeys/remove'],
  authentication: 'user',
  input: { query: Type.Object(removal) },
  perform: (context) => {
    const { id: passkeyId } = context.input.query;
    return forOwner(
      context,
      `${REMOVE_PASSKEY}?${new URLSearchParams({ id: passkeyId })}`,
      async ({ id }) => {
        const passkey = (await context.store.passkeys.ofUser(id)).find((own) => idOf(own) === passkeyId);
        if (passkey === undefined) return seeOther(PASSKEYS);
        return answer({ text: removePasskeyPage(await userReader(context), passkey) });
      },
    );
  },
});

const remove = page({
  id: 'org/service/repository/portal/passkeys/remove.post',
  summary: 'Remove a passkey.',
  method: 'POST',
  paths: ['/account/passkeys/remove'],
  authentication: 'user',
  input: { body: form(removal) },
  perform: (context) =>
    forOwner(context, PASSKEYS, async (user) => {
      const { events } = await removePasskey(
        context.store,
        user,
        Buffer.from(context.input.body.id, 'base64url'),
      );
      return seeOther(`${PASSKEYS}?done=removed`, { changes: events });
    }),
});

/** The pages about the own passkeys (specification, section 21). */
export const OWN_PASSKEYS: readonly AnyOperation[] = [list, addForm, options, add, removeForm, remove];
