/** What may not compile of an operation. Checked by `npm run types`, and never run. */
import { refuse } from '../src/core/domain/refusal.ts';
import type { Digest } from '../src/core/domain/ticket.ts';
import { adminOperation, answer, changed, operation } from '../src/core/operation.ts';
import { nothingShown } from '../src/core/representations/representation.ts';
import { page, seeOther } from '../src/faces/pages/page.ts';

const DIGEST = '' as Digest;

const table = {
  id: 'org/service/repository/example.get',
  summary: 'An example.',
  lifecycle: 'public_api',
  family: 'Examples',
  method: 'GET',
  paths: ['/example'],
  transaction: 'required',
  formatStyle: 'any',
  defaultFormat: 'json',
  input: {},
  output: nothingShown,
  refusals: ['ticket_not_found'],
} as const;

operation({
  ...table,
  authentication: 'none',
  access: 'read',
  // @ts-expect-error An operation without authentication has no caller.
  perform: async ({ caller }) => answer(void caller),
});

operation({
  ...table,
  authentication: 'user',
  access: 'read',
  // @ts-expect-error A user is no registered client.
  perform: async ({ client }) => answer(void client),
});

operation({
  ...table,
  authentication: 'user',
  access: 'read',
  async perform({ store }) {
    // @ts-expect-error An operation that reads cannot write.
    await store.tickets.end(DIGEST);
    return answer(undefined);
  },
});

operation({
  ...table,
  authentication: 'user',
  access: 'read',
  // @ts-expect-error A refusal has to be declared.
  perform: async () => refuse('login_failed'),
});

operation({
  ...table,
  authentication: 'user',
  transaction: 'none',
  // @ts-expect-error The caller is known in a transaction only.
  access: 'none',
  perform: async () => answer(undefined),
});

// What is allowed: without it the errors above might be about something else.
operation({
  ...table,
  authentication: 'user',
  access: 'write',
  perform: async ({ store, caller }) =>
    (await store.tickets.end(DIGEST)) ? answer(void caller) : refuse('ticket_not_found'),
});

operation({
  ...table,
  authentication: 'user',
  access: 'read',
  // @ts-expect-error A user at level `user` is nobody who administers.
  perform: async ({ actor }) => answer(void actor),
});

// @ts-expect-error Level `admin` names the role that it needs.
operation({
  ...table,
  authentication: 'admin',
  access: 'read',
  perform: async ({ actor }) => answer(void actor),
});

operation({
  ...table,
  authentication: 'user',
  // @ts-expect-error A role means nothing at another level.
  role: 'auditor',
  access: 'read',
  perform: async () => answer(undefined),
});

operation({
  ...table,
  authentication: 'admin',
  // @ts-expect-error An auditor changes nothing.
  role: 'auditor',
  access: 'write',
  perform: async () => changed(undefined, []),
});

operation({
  ...table,
  authentication: 'admin',
  role: 'operator',
  access: 'write',
  // @ts-expect-error A change at level `admin` says what it changed.
  perform: async () => answer(undefined),
});

operation({
  ...table,
  authentication: 'admin',
  role: 'operator',
  access: 'write',
  perform: async ({ actor }) => changed(void actor, [{ kind: 'unlock', user: 'mia' }]),
});

const { id, summary, paths, input, output, refusals } = table;
const administration = { id, summary, paths, input, output, refusals } as const;

adminOperation({
  ...administration,
  method: 'GET',
  role: 'auditor',
  async perform({ store }) {
    // @ts-expect-error A GET of administration reads.
    await store.tickets.end(DIGEST);
    return answer(undefined);
  },
});

adminOperation({
  ...administration,
  method: 'PUT',
  // @ts-expect-error An auditor changes nothing, whatever the method.
  role: 'auditor',
  perform: async () => changed(undefined, []),
});

adminOperation({
  ...administration,
  method: 'DELETE',
  role: 'operator',
  // @ts-expect-error What is no GET of administration says what it changed.
  perform: async () => answer(undefined),
});

// @ts-expect-error Administration names the role that it needs.
adminOperation({ ...administration, method: 'GET', perform: async () => answer(undefined) });

adminOperation({
  ...administration,
  method: 'DELETE',
  role: 'operator',
  perform: async ({ actor, store }) =>
    (await store.tickets.end(DIGEST))
      ? changed(void actor, [{ kind: 'unlock', user: 'mia' }])
      : refuse('ticket_not_found'),
});

const shown = { id, summary, paths, input, authentication: 'user' } as const;

page({
  ...shown,
  method: 'GET',
  async perform({ store }) {
    // @ts-expect-error A page that is shown reads.
    await store.tickets.end(DIGEST);
    return seeOther('/');
  },
});

page({
  ...shown,
  method: 'POST',
  async perform({ store }) {
    await store.tickets.end(DIGEST);
    return seeOther('/');
  },
});

// @ts-expect-error A page says who sees it: an authentication, or the least role.
page({ id, summary, paths, input, method: 'GET', perform: async () => seeOther('/') });
