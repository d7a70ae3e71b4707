import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { hash } from '@node-rs/argon2';
import { readHash } from '../../../../src/capabilities/migration/foreign/read.ts';
import { applySteps, type Step } from '../../../../src/core/identity/hash-steps.ts';
import {
  costOf,
  hashPassword,
  isStoredFrom,
  storedFrom,
} from '../../../../src/core/identity/password-hash.ts';
import { verifyStored } from '../../../../src/core/identity/verifiers/local.ts';
import { FOREIGN, RIGHT } from './hashes.ts';

const CHEAP = { memory: 8, passes: 1, lanes: 1 };

for (const [kind, { password = RIGHT, ...given }] of Object.entries(FOREIGN)) {
  test(`${kind}: only the password verifies, and the stored text contains no foreign hash`, async () => {
    const stored = await storedFrom(readHash(given), CHEAP);
    assert.ok(await verifyStored(stored, password));
    for (const wrong of ['', password.slice(1), `y${password}`, password.toUpperCase(), given.passwordHash])
      assert.equal(await verifyStored(stored, wrong), undefined, wrong);
    assert.ok(costOf(stored), stored);
    if (kind.startsWith('argon2id') || kind.startsWith('argon2 of')) return;
    const digest = given.passwordHash.split('$').at(-1) as string;
    assert.ok(!stored.toLowerCase().includes(digest.slice(-22).toLowerCase()), stored);
    assert.deepEqual(costOf(stored), CHEAP);
  });
}

/** For each step a sample that uses it, and its name on the page. */
const TAKEN: Readonly<Record<Step['kind'], { sample: string; told: string }>> = {
  md4: { sample: 'md4 of the reference, whatever the salt', told: '`md4`' },
  sha256: { sample: 'sha256 of the reference', told: '`sha256`' },
  bcrypt: { sample: 'bcrypt 2a', told: '| bcrypt ' },
  scrypt: { sample: 'scrypt', told: '| scrypt ' },
  pbkdf2: { sample: 'PBKDF2 of passlib', told: '| PBKDF2 ' },
  argon2: { sample: 'argon2i', told: '| argon2 ' },
};

for (const [kind, { sample, told }] of Object.entries(TAKEN)) {
  test(`${kind}: a hash of another program uses this step, and the page names it`, () => {
    const read = readHash(FOREIGN[sample] ?? assert.fail(`hashes.ts has no ${sample}`));
    assert.ok('steps' in read && read.steps.some((step) => step.kind === kind), `${sample} takes no ${kind}`);
    const page = readFileSync(new URL('../../../../docs/how-to/import-users.md', import.meta.url), 'utf8');
    assert.ok(page.includes(told), `docs/how-to/import-users.md tells nothing of ${told}`);
  });
}

test('argon2id is stored unchanged', async () => {
  const { passwordHash } = FOREIGN.argon2id as { passwordHash: string };
  assert.equal(await storedFrom(readHash({ passwordHash }), CHEAP), passwordHash);
});

test('no password verifies against a stored digest that is too short', async () => {
  for (const length of [0, 1]) {
    const step = { kind: 'scrypt', ln: 4, r: 8, p: 1, length, salt: 'c2FsdA==' } as const;
    const made = await applySteps([step], RIGHT);
    const stored = await storedFrom({ steps: [step], digest: made }, CHEAP);
    for (const password of [RIGHT, '', made]) assert.equal(await verifyStored(stored, password), undefined);
  }
});

test('a decomposed password verifies against the foreign hash of either spelling', async () => {
  const composed = await storedFrom(readHash(FOREIGN['bcrypt 2a'] as { passwordHash: string }), CHEAP);
  assert.ok(await verifyStored(composed, RIGHT.normalize('NFD')));
  const apart = createHash('sha256').update(RIGHT.normalize('NFD')).digest('hex');
  const stored = await storedFrom(readHash({ passwordHash: apart, hashIndicator: ['sha256'] }), CHEAP);
  assert.ok(await verifyStored(stored, RIGHT.normalize('NFD')));
});

test('argon2id of a decomposed password verifies as another system’s, and that of the composed one as ours', async () => {
  const apart = RIGHT.normalize('NFD');
  const passwordHash = await hash(Buffer.from(apart), { memoryCost: 8, timeCost: 1, parallelism: 1 });
  const stored = await storedFrom(readHash({ passwordHash }), CHEAP);
  assert.equal(await verifyStored(stored, apart), 'elsewhere');
  assert.equal(await verifyStored(stored, RIGHT), undefined);
  assert.equal(await verifyStored(await hashPassword(RIGHT, CHEAP), apart), 'here');
});

test('it is known whether this hash was imported before, and another user’s is another', async () => {
  const hashes = Object.values(FOREIGN).map((given) => readHash(given));
  const [first, second] = [FOREIGN['bcrypt 2a'], FOREIGN['bcrypt 2b']].map((given) =>
    readHash(given as never),
  );
  const stored = await storedFrom(first as never, CHEAP);
  assert.equal(await isStoredFrom(first as never, stored), true);
  assert.equal(await isStoredFrom(second as never, stored), false);
  const argon2id = await storedFrom(hashes[0] as never, CHEAP);
  assert.equal(await isStoredFrom(hashes[0] as never, argon2id), true);
  assert.equal(await isStoredFrom(first as never, argon2id), false);
  assert.equal(await isStoredFrom(hashes[0] as never, stored), false);
});
