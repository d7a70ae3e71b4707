import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalsOf } from '../../src/faces/description/openapi/responses.ts';
import { operations } from '../../src/main/operations.ts';
import { openMemory } from '../engines/memory/open.ts';
import { PASSWORD, startTestService, type TestService } from '../service/start.ts';
import { ask, basic, logIn } from '../service/talk.ts';
import { CIRCUMSTANCES, type Example, exampleOf, urlOf } from './examples.ts';

/** Credentials of one level, each as a header presents it. */
const GOOD = {
  async user({ url }: TestService) {
    const ticket = await logIn(url);
    const bearer = { authorization: `Bearer ${ticket}` };
    return [
      bearer,
      basic(ticket),
      basic(`:${ticket}`),
      basic(`ROLE_TICKET:${ticket}`),
      basic(`admin:${PASSWORD}`),
    ];
  },
  async client({ addClient }: TestService) {
    const secret = await addClient('other-gateway');
    return [basic(`other-gateway:${secret}`), { authorization: `Bearer ${secret}` }, basic(secret)];
  },
};

/** The same request with another credential in place of its own. */
function presenting({ path, query, init }: Example, headers: Record<string, string>): Example {
  const { alf_ticket: _, ...rest } = query ?? {};
  return { path, query: rest, init: { ...init, headers } };
}

for (const operation of operations) {
  const { id, authentication, api } = operation;
  // Level `admin` has laws of its own, in administration.test.ts.
  if (authentication === 'none' || authentication === 'admin') continue;
  const other = authentication === 'client' ? 'user' : 'client';

  test(`${id}: level ${authentication} takes no credential of a ${other}, and challenges its caller`, async (t) => {
    const service = await startTestService(t, { TESSERA_INDEX: 'public' }, openMemory);
    const home = service.url + (api?.basePaths?.[0] ?? '');
    const example = await exampleOf(operation, service);
    for (const credential of await GOOD[other](service)) {
      const sent = presenting(example, credential);
      const { status, headers } = await ask(urlOf(home, sent), sent.init);
      assert.equal(status, 401, JSON.stringify(credential));
      assert.equal(headers.get('www-authenticate'), 'Basic realm="Tessera"');
    }
  });
}

for (const operation of operations) {
  const { id, authentication, ticketsOnly, api } = operation;
  if (authentication !== 'user' || ticketsOnly) continue;

  test(`${id}: is said to refuse a caller whose password cannot be checked`, async (t) => {
    const service = await startTestService(t, CIRCUMSTANCES.passwords_unavailable?.env, openMemory);
    const example = await exampleOf(operation, service);
    const accept = 'application/problem+json';
    const sent = presenting(example, { ...basic('nobody:wrong'), accept });
    const { text } = await ask(urlOf(service.url + (api?.basePaths?.[0] ?? ''), sent), sent.init);
    const { code } = JSON.parse(text);
    assert.equal(code, 'passwords_unavailable');
    assert.ok(refusalsOf(operation).includes(code));
  });
}

for (const operation of operations) {
  const { id, authentication, access, input, answers = 200, api } = operation;
  if (authentication !== 'guest') continue;

  test(`${id}: level guest answers whoever says guest=true as it answers a user, and changes nothing`, async (t) => {
    assert.equal(access, 'read');
    assert.ok('guest' in (input.query?.properties ?? {}), 'declare the argument guest');
    const service = await startTestService(t, {}, openMemory);
    const home = service.url + (api?.basePaths?.[0] ?? '');
    const example = await exampleOf(operation, service);
    const asked = { ...presenting(example, {}), query: { ...example.query, guest: 'true' } };
    const [guest, user] = [
      await ask(urlOf(home, asked), asked.init),
      await ask(urlOf(home, example), example.init),
    ];
    assert.deepEqual([guest.status, user.status], [answers, answers]);
    assert.equal(guest.text, user.text);
  });
}
