import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isRefusal,
  messageOf,
  REFUSALS,
  type RefusalCode,
  refuse,
} from '../../../src/core/domain/refusal.ts';

test('a refusal can be told from every other result', () => {
  assert.equal(isRefusal(refuse('login_failed')), true);
  for (const result of [undefined, null, '', 'refused', 0, [], {}, { value: 'refused' }, () => 'refused']) {
    assert.equal(isRefusal(result), false, String(result));
  }
});

test('the caller gets the sentence and the detail, never the reason or the user', () => {
  assert.equal(messageOf(refuse('ticket_not_found')), 'Ticket not found');
  assert.equal(
    messageOf(refuse('body_unreadable', { detail: 'it is empty' })),
    'Unable to parse JSON POST body: it is empty',
  );
  assert.equal(messageOf(refuse('login_failed', { reason: 'wrong-password', user: 'ann' })), 'Login failed');
});

test('the sentences that existing clients know do not change by a letter', () => {
  const known: Partial<Record<RefusalCode, string>> = {
    username_missing: 'Username not specified',
    password_missing: 'Password not specified',
    body_unreadable: 'Unable to parse JSON POST body',
    login_failed: 'Login failed',
    cross_site_login: 'Cross-site login refused',
    ticket_not_found: 'Ticket not found',
  };
  for (const [code, sentence] of Object.entries(known)) assert.equal(REFUSALS[code as RefusalCode], sentence);
});

test('no sentence names a user or a state that reveals why a login was refused', () => {
  assert.doesNotMatch(REFUSALS.login_failed, /unknown|wrong|lock|disab|wait/i);
  assert.doesNotMatch(REFUSALS.authentication_needed, /unknown|wrong|lock|disab|expired|TICKET_/i);
  assert.doesNotMatch(REFUSALS.ticket_not_found, /foreign|expired|another/i);
});
