import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differences } from '../../../conformance/player/differences.ts';

/** The differences between a JSON body and a schema. */
function differencesOf(schema: object, body: unknown) {
  const received = { status: 200, headers: {}, text: JSON.stringify(body) };
  return differences({ status: 200, schema }, received, {}).map(({ expected }) => expected);
}

test('the difference names a member that the schema forbids', () => {
  const [expected = ''] = differencesOf({ properties: { stack: false } }, { stack: 'trace' });
  assert.match(expected, /^body \/stack [a-z]/);
  assert.doesNotMatch(expected, /undefined/);
  const closed = { type: 'object', properties: {}, additionalProperties: false };
  assert.match(differencesOf(closed, { stack: 'trace' })[0] ?? '', /\{"additionalProperties":\["stack"\]\}$/);
});
