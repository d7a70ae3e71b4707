import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAssertion, readRegistration } from '../../../../src/capabilities/factors/passkeys/answer.ts';
import { relyingPartyAt } from '../../../../src/capabilities/factors/passkeys/relying-party.ts';
import {
  verifiedAssertion,
  verifiedRegistration,
} from '../../../../src/capabilities/factors/passkeys/verification.ts';
import { isNewUse, type Passkey } from '../../../../src/core/domain/passkey.ts';
import { type AnswerParts, Authenticator } from './authenticator.ts';

const ORIGIN = 'https://tickets.example.org';
const PARTY = { id: 'tickets.example.org', origin: ORIGIN };
const CHALLENGE = Buffer.from('a challenge of the service').toString('base64url');
const HANDLE = Buffer.alloc(32, 7);

const read = <A>(answer: A | undefined): A => answer ?? assert.fail('not read');

async function registered(authenticator: Authenticator): Promise<Passkey> {
  const answer = read(readRegistration(authenticator.registered({ challenge: CHALLENGE })));
  const made = (await verifiedRegistration(answer, PARTY)) ?? assert.fail('refused');
  return {
    ...made,
    userId: 1,
    userHandle: HANDLE,
    name: 'phone',
    madeAt: 0,
    usedAt: undefined,
    challengeAt: 0,
  };
}

const proofOf = (passkey: Passkey, authenticator: Authenticator, parts: Partial<AnswerParts>) =>
  verifiedAssertion(
    read(readAssertion(authenticator.signed({ challenge: CHALLENGE, userHandle: HANDLE, ...parts }))),
    passkey,
    PARTY,
  );

test('a passkey that an authenticator made proves itself, and tells whether its user was verified', async () => {
  const authenticator = new Authenticator(ORIGIN);
  const passkey = await registered(authenticator);
  assert.deepEqual(passkey.credentialId, authenticator.credentialId);
  assert.deepEqual(passkey.transports, ['internal']);
  assert.deepEqual(await proofOf(passkey, authenticator, { signCount: 5 }), {
    userVerified: true,
    signCount: 5,
  });
  const unverified = { userVerified: false, userHandle: undefined };
  assert.deepEqual(await proofOf(passkey, authenticator, unverified), { userVerified: false, signCount: 0 });
});

for (const [what, parts] of Object.entries<Partial<AnswerParts>>({
  'for a page of another origin': { origin: 'https://tickets.example.com' },
  'for another port of the host': { origin: `${ORIGIN}:8443` },
  'for a page within a page of another site': { crossOrigin: true },
  'for another domain': { rpId: 'example.org' },
  'of another ceremony': { type: 'webauthn.other' },
  'without a person at the authenticator': { userPresent: false, userVerified: false },
})) {
  test(`an answer ${what} is refused, at the registration and at the sign-in`, async () => {
    const authenticator = new Authenticator(ORIGIN);
    const passkey = await registered(authenticator);
    assert.equal(await proofOf(passkey, authenticator, parts), undefined);
    const answer = read(readRegistration(authenticator.registered({ challenge: CHALLENGE, ...parts })));
    assert.equal(await verifiedRegistration(answer, PARTY), undefined);
  });
}

test('an answer of another passkey, or for another user, is refused', async () => {
  const [mine, other] = [new Authenticator(ORIGIN), new Authenticator(ORIGIN)];
  const passkey = await registered(mine);
  assert.equal(await proofOf(passkey, other, {}), undefined);
  assert.equal(await proofOf(passkey, other, { id: mine.credentialId }), undefined);
  assert.equal(await proofOf(passkey, mine, { userHandle: Buffer.alloc(32, 8) }), undefined);
});

test('a passkey may be made without a check of the user, and odd names of transports are dropped', async () => {
  const authenticator = new Authenticator(ORIGIN);
  const sent = JSON.parse(authenticator.registered({ challenge: CHALLENGE, userVerified: false }));
  const transportsOf = async (transports: unknown) => {
    const text = JSON.stringify({ ...sent, response: { ...sent.response, transports } });
    return (await verifiedRegistration(read(readRegistration(text)), PARTY))?.transports;
  };
  assert.deepEqual(await transportsOf(['usb', 'smart-card', 'x y', '', 7, 'x'.repeat(21)]), [
    'usb',
    'smart-card',
  ]);
  assert.deepEqual(await transportsOf(Array.from({ length: 9 }, () => 'ble')), Array(8).fill('ble'));
  for (const none of [undefined, null, 'usb', {}]) assert.deepEqual(await transportsOf(none), []);
});

test('a changed answer is refused', async () => {
  const authenticator = new Authenticator(ORIGIN);
  const passkey = await registered(authenticator);
  const { id, response } = JSON.parse(authenticator.signed({ challenge: CHALLENGE }));
  const other = JSON.parse(authenticator.signed({ challenge: 'b3RoZXI', signCount: 9 })).response;
  for (const member of ['clientDataJSON', 'authenticatorData', 'signature']) {
    const text = JSON.stringify({ id, response: { ...response, [member]: other[member] } });
    assert.equal(await verifiedAssertion(read(readAssertion(text)), passkey, PARTY), undefined, member);
  }
});

test('a text that is no answer is not read', () => {
  const authenticator = new Authenticator(ORIGIN);
  const { id, response } = JSON.parse(authenticator.signed({ challenge: CHALLENGE }));
  const saying = (text: string) => ({ ...response, clientDataJSON: Buffer.from(text).toString('base64url') });
  for (const text of [
    ...['', 'x', '[]', 'null', '{}', '1'],
    JSON.stringify({ id }),
    JSON.stringify({ id: 1, response }),
    JSON.stringify({ id: 'ä', response }),
    JSON.stringify({ id, response: { ...response, signature: undefined } }),
    JSON.stringify({ id, response: { ...response, signature: ['x'] } }).replace('["x"]', '"%"'),
    ...['[]', 'null', '7', '{}', '{"challenge":7}', '"x"'].map((text) =>
      JSON.stringify({ id, response: saying(text) }),
    ),
    JSON.stringify({ id, response: [] }),
    JSON.stringify({ id, response: null }),
    JSON.stringify({ id, response, more: 'x'.repeat(20_000) }),
  ])
    for (const readIt of [readAssertion, readRegistration])
      assert.equal(readIt(text), undefined, text.slice(0, 80));
});

test('a count that does not rise, and a challenge that is not later than the last one, are no new use', () => {
  const use = { usedAt: 9, challengeAt: 5, signCount: 3 };
  assert.equal(isNewUse({ signCount: 2, challengeAt: 4 }, use), true);
  assert.equal(isNewUse({ signCount: 3, challengeAt: 4 }, use), false);
  assert.equal(isNewUse({ signCount: 4, challengeAt: 4 }, use), false);
  assert.equal(isNewUse({ signCount: 2, challengeAt: 5 }, use), false);
  assert.equal(isNewUse({ signCount: 0, challengeAt: 4 }, { ...use, signCount: 0 }), true);
  assert.equal(isNewUse({ signCount: 2, challengeAt: 4 }, { ...use, signCount: 0 }), false);
});

test('passkeys are for the host, or for the domain whose hosts share a ticket, and never for an address', () => {
  const at = (origin: string, domain = '') => relyingPartyAt(origin, domain)?.id;
  assert.equal(at('https://tickets.example.org'), 'tickets.example.org');
  assert.equal(at('http://localhost:8080'), 'localhost');
  assert.equal(at('https://tickets.example.org', 'example.org'), 'example.org');
  assert.equal(at('https://example.org', 'example.org'), 'example.org');
  assert.equal(at('https://badexample.org', 'example.org'), 'badexample.org');
  for (const origin of ['http://127.0.0.1:8080', 'http://[::1]:8080', 'nothing'])
    assert.equal(at(origin), undefined);
});
