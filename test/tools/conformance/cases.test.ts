import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { ConformanceCase, Exchange } from '../../../conformance/player/case-file.ts';
import { PUBLISHED } from '../../../conformance/player/run.ts';
import { REFUSALS, type RefusalCode } from '../../../src/core/domain/refusal.ts';
import { STATUS } from '../../../src/core/http/status.ts';
import { operations } from '../../../src/main/operations.ts';
import { loadCases } from '../../../src/tools/conformance/run.ts';

const files = loadCases();
const cases = files.flatMap(({ cases }) => cases);
const ids = operations.map(({ id }) => id as string);

/** Operations of the specification. The others are Tessera's own, or belong to other standards. */
const SPECIFIED =
  /\/(login\.|loginticket\.|rule\/|v1\/|server\.|discovery\.|touch\.|restrictions\.|people\/)/;

/** Refusals that no request alone can cause: they need a fault, a setting or an administrator. */
const OUT_OF_REACH: readonly RefusalCode[] = [
  'codes_locked',
  'login_by_get_off',
  'step_up_needed',
  'gate_denied',
  'form_of_another_site',
  'form_outdated',
  'cookie_impossible',
  'new_password_needed',
  'provider_not_found',
  'provider_unavailable',
  'sign_in_declined',
  'sign_in_outdated',
  'sign_in_unproven',
  'clocks_differ',
  'logout_token_refused',
  'user_not_admitted',
  'name_of_another',
  'hash_queue_full',
  'host_not_served',
  'answers_unread',
  'streams_full',
  'filter_invalid',
  'filter_too_wide',
  'path_invalid',
  'target_missing',
  'group_has_role',
  'user_has_role',
  'user_not_provisioned',
  'attribute_fixed',
  'changed_meanwhile',
  'name_taken',
  'group_circle',
  'last_administrator',
  'nodes_unavailable',
  'not_ready',
  'password_elsewhere',
  'proof_needed',
  'passwords_unavailable',
  'access_token_refused',
  'request_malformed',
  'request_too_slow',
  'store_unavailable',
  'internal',
];

test('every case has a unique name and a sentence with its promise', () => {
  const names = cases.map(({ name }) => name);
  assert.deepEqual(names, [...new Set(names)]);
  for (const { name, promise } of cases) assert.match(promise, /^[A-Z\d`].*\.$/, name);
});

test('every operation of the specification has cases, and every operation that a case names exists', () => {
  const named = new Set(cases.flatMap(({ operation }) => operation ?? []));
  assert.deepEqual(
    ids.filter((id) => SPECIFIED.test(id) && !named.has(id)),
    [],
  );
  assert.deepEqual(
    [...named].filter((id) => !ids.includes(id)),
    [],
  );
});

test('sections 1 to 8 and 10 of the specification have their cases', () => {
  for (const section of [1, 2, 3, 4, 5, 6, 7, 8, 10])
    assert.ok(
      files.some((file) => file.section === `${section}`),
      `${section}`,
    );
});

function asksFor(code: RefusalCode, { exchanges }: ConformanceCase): boolean {
  return exchanges.some(({ answer }) => [answer.status].flat().includes(STATUS[code]));
}

test('a case asks for the status of every refusal that a request can cause', () => {
  const own = operations.filter(({ id }) => !SPECIFIED.test(id)).flatMap(({ refusals }) => refusals);
  const specified = operations.filter(({ id }) => SPECIFIED.test(id)).flatMap(({ refusals }) => refusals);
  const codes = (Object.keys(REFUSALS) as RefusalCode[]).filter(
    (code) => !OUT_OF_REACH.includes(code) && (specified.includes(code) || !own.includes(code)),
  );
  assert.ok(codes.length > 10);
  for (const code of codes)
    assert.ok(
      cases.some((each) => asksFor(code, each)),
      `no case asks for ${STATUS[code]}, as ${code}: add one, or name it in OUT_OF_REACH`,
    );
  const said = readFileSync(`${PUBLISHED}03-login.json`, 'utf8');
  for (const code of ['username_missing', 'password_missing', 'login_failed', 'cross_site_login'] as const)
    assert.ok(said.includes(REFUSALS[code]), code);
});

test('a case where Tessera departs from the reference says why, and what the reference answers', () => {
  const departing = cases.filter(({ mark }) => mark === '≠');
  assert.ok(departing.length > 0);
  for (const { name, why, exchanges } of departing) {
    assert.ok(why !== undefined, name);
    assert.ok(
      exchanges.some(({ reference }) => reference !== undefined),
      name,
    );
  }
  for (const { name, mark, exchanges } of cases)
    if (mark !== '≠')
      assert.ok(
        exchanges.every(({ reference }) => reference === undefined),
        name,
      );
});

const endsATicket = ({ request, answer }: Exchange) =>
  request.ask.startsWith('DELETE ') && [200, 204].some((status) => [answer.status].flat().includes(status));

test('a file with a case that ends a ticket has no shared login', () => {
  const ending = files.filter(({ cases }) => cases.some(({ exchanges }) => exchanges.some(endsATicket)));
  assert.ok(ending.length > 0);
  for (const { subject, before } of ending) assert.equal(before, undefined, subject);
});
