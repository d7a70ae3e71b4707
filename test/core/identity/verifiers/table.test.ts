import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { newUser, type User } from '../../../../src/core/domain/user.ts';
import { Bookkeeping } from '../../../../src/core/gate/bookkeeping.ts';
import { HashPool } from '../../../../src/core/identity/hash-queue.ts';
import { localVerifier } from '../../../../src/core/identity/verifiers/local.ts';
import type { Verifier } from '../../../../src/core/identity/verifiers/verifier.ts';
import { lifetimeIn } from '../../../../src/core/settings/derived.ts';
import { ticketRulesIn } from '../../../../src/main/assembly.ts';
import { CAPABILITIES } from '../../../../src/main/capabilities.ts';
import { OpenedCapabilities } from '../../../../src/main/opened-capabilities.ts';
import { readSettings } from '../../../../src/main/settings.ts';
import { openMemory } from '../../../engines/memory/open.ts';
import { userLike } from '../../domain/samples.ts';

const PAGE = readFileSync(new URL('../../../../docs/reference/verifiers.md', import.meta.url), 'utf8');
const CHEAP = { memory: 8, passes: 1, lanes: 1 };

/** The rows of the table on the page: the cells of each, without the row of dashes. */
const [HEAD = [], , ...ROWS] = PAGE.split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

/** The columns about logins, and the user of each. */
const LOGINS: Readonly<Record<string, User | undefined>> = {
  'Unknown name': undefined,
  'Local user': userLike(),
  'User of the directory': userLike({ provider: 'ldap', passwordHash: undefined }),
  'User of an identity provider': userLike({ provider: 'company', passwordHash: undefined }),
};

/** All verifiers, as a service opens them. No server is asked. */
async function everyVerifier(t: TestContext): Promise<readonly Verifier[]> {
  const { settings } = readSettings({
    flags: {},
    env: {
      TESSERA_LDAP_URLS: 'ldap://127.0.0.1:9',
      TESSERA_LDAP_USER_BASE: 'dc=example,dc=org',
      TESSERA_SHADOW: 'http://127.0.0.1:9/alfresco',
    },
  });
  const store = openMemory();
  const onFault = (fault: unknown) => assert.fail(String(fault));
  const hashPool = new HashPool({ atOnce: 1, deadline: 60_000 });
  const bookkeeping = new Bookkeeping(store, lifetimeIn(settings), onFault);
  const local = localVerifier(hashPool, CHEAP);
  const parts = { settings, store, sweeps: false, log: pino({ enabled: false }), clock: Date.now, onFault };
  const capabilities = new OpenedCapabilities();
  await capabilities.open([...CAPABILITIES].reverse(), {
    ...parts,
    hashPool,
    bookkeeping,
    localVerifier: local,
    openTelemetry: {},
    takeOvers: [],
    ticketRules: ticketRulesIn(settings, Date.now),
  });
  t.after(() => Promise.all([capabilities.stop(), bookkeeping.close(), store.close()]));
  await local.ready;
  return capabilities.verifiersWith(local);
}

const requestFor = (user: User | undefined) => ({
  ...{
    name: 'Ann',
    key: 'ann',
    address: '192.0.2.1',
    userAgent: undefined,
    onPage: false,
    familiar: false,
    barred: false,
  },
  user,
  standIn: async () => undefined,
});

test('the page names every verifier, in the order in which a login asks them', async (t) => {
  const names = (await everyVerifier(t)).map(({ name }) => name);
  assert.deepEqual(
    ROWS.map(([name]) => name),
    names,
  );
});

test('the page says what each verifier does for each kind of user', async (t) => {
  const verifiers = await everyVerifier(t);
  assert.deepEqual(HEAD.slice(2), Object.keys(LOGINS));
  for (const [row, verifier] of verifiers.entries()) {
    for (const [column, user] of Object.values(LOGINS).entries()) {
      const said = ROWS[row]?.[column + 2];
      if (verifier.ownForm !== undefined) assert.equal(said, 'only its form', verifier.name);
      else {
        const part = verifier.partIn(requestFor(user));
        const asked = said === 'imitates' ? 'imitates' : 'decides';
        assert.equal(part, asked, `${verifier.name}, ${HEAD[column + 2]}`);
      }
    }
  }
});

test('an app password alone has a form of its own, and that is the form on the page', async (t) => {
  const forms = (await everyVerifier(t)).filter(({ ownForm }) => ownForm !== undefined);
  assert.deepEqual(
    forms.map(({ name }) => name),
    ['app password'],
  );
  const [{ ownForm } = {}] = forms;
  assert.ok(ownForm?.test(`tap_${'a'.repeat(32)}`));
  for (const other of [`tap_${'a'.repeat(31)}`, `tap_${'a'.repeat(33)}`, `TAP_${'a'.repeat(32)}`, 'tap_'])
    assert.ok(!ownForm?.test(other), other);
});

test('the local verifier passes an unknown name on, and refuses a wrong password of its own user', async (t) => {
  const local = (await everyVerifier(t)).find(({ name }) => name === 'local') as Verifier;
  const known = newUser('Ann', { namesCaseSensitive: false, passwordHash: undefined });
  assert.deepEqual(await local.verify(requestFor(undefined), 'x'), { accepted: false, passed: true });
  assert.deepEqual(await local.verify(requestFor({ ...known, id: 1 }), 'x'), { accepted: false });
});
