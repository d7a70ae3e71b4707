import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ticketsInUri } from '../../../src/core/http/credentials.ts';
import { readForm } from '../../../src/core/http/request-body.ts';

test('a second question mark belongs to the name of an argument, in a URI that a proxy passes on', () => {
  assert.deepEqual(ticketsInUri('/a?alf_ticket=T'), ['T']);
  assert.deepEqual(ticketsInUri('/a??alf_ticket=T'), []);
});

test('a question mark at the beginning of a form belongs to the name of its parameter', () => {
  assert.deepEqual(readForm(Buffer.from('?token=T')), { json: { '?token': 'T' } });
  assert.deepEqual(readForm(Buffer.from('token=T')), { json: { token: 'T' } });
});
