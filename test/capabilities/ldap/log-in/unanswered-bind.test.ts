import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Directory } from '../../../../src/capabilities/ldap/directory.ts';
import { DirectoryUnavailable } from '../../../../src/capabilities/ldap/options.ts';
import { DirectoryVerifier } from '../../../../src/capabilities/ldap/verifier.ts';
import { VerifierUnavailable } from '../../../../src/core/identity/verifiers/verifier.ts';
import { openMemory } from '../../../engines/memory/open.ts';

const PERSON = { dn: 'uid=anna', subject: 'id-1', name: 'anna', state: 'active', profile: {} } as const;
const ATTEMPT = {
  name: 'anna',
  key: 'anna',
  address: '192.0.2.1',
  userAgent: undefined,
  onPage: false,
  familiar: false,
} as const;

const silent = () => Promise.reject(new DirectoryUnavailable('it did not answer in time'));

/** Whether a login counts as a failure at a directory that answers a search so, and no bind. */
async function counts(find: () => Promise<object>): Promise<boolean> {
  const answers = { find, checkPassword: silent, imitatePasswordCheck: silent };
  const verifier = new DirectoryVerifier({
    directory: answers as unknown as Directory,
    store: openMemory(),
    rules: {
      namesCaseSensitive: false,
      addsUsers: true,
      takesLocalNames: false,
      takeOvers: [],
      roleGroups: [],
    },
    changesPasswords: false,
    deadline: 1_000,
    clock: Date.now,
  });
  const request = { ...ATTEMPT, user: undefined, barred: false, standIn: async () => undefined };
  const fault: unknown = await verifier.verify(request, 'a password').catch((error: unknown) => error);
  assert.ok(fault instanceof VerifierUnavailable);
  return fault.counts;
}

test('an attempt counts if a server may have been shown its password, though it did not answer', async () => {
  assert.equal(await counts(async () => ({ person: PERSON })), true);
  assert.equal(
    await counts(async () => ({ person: undefined, why: 'unknown' })),
    true,
    'as for a known name',
  );
  assert.equal(await counts(silent), false);
});
