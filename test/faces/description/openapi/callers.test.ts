import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApiDocument } from '../../../../src/faces/description/openapi/document.ts';
import { operations } from '../../../../src/main/operations.ts';

const document = JSON.parse(JSON.stringify(openApiDocument(operations, '')));

/** The authentication of a path, and the other headers of its 401. */
function calledAt(path: string, method: string) {
  const { security, responses } = document.paths[path][method];
  const schemes = security.flatMap(Object.keys) as string[];
  const refused = document.components.responses[responses[401].$ref.split('/').at(-1)];
  const { 'X-Request-Id': _, ...headers } = refused.headers as Record<string, { description: string }>;
  return { schemes, headers };
}

test('an operation that accepts tickets only describes no password and no Retry-After', () => {
  const { schemes, headers } = calledAt('/gate', 'get');
  assert.deepEqual(schemes, ['basic_ticket', 'bearer']);
  for (const scheme of schemes)
    assert.doesNotMatch(document.components.securitySchemes[scheme].description, /user name/);
  assert.deepEqual(Object.keys(headers), ['WWW-Authenticate', 'Location']);
  assert.match(headers['WWW-Authenticate']?.description ?? '', /AlfTicket/);
});

test('registered clients get a Basic challenge and no Retry-After', () => {
  const { schemes, headers } = calledAt('/introspect', 'post');
  assert.deepEqual(schemes, ['client']);
  assert.deepEqual(Object.keys(headers), ['WWW-Authenticate']);
  assert.doesNotMatch(headers['WWW-Authenticate']?.description ?? '', /AlfTicket/);
});

test('an administrator gets a Bearer challenge, sends no password and gets no Retry-After', () => {
  const { schemes, headers } = calledAt('/api/admin/status', 'get');
  assert.deepEqual(schemes, ['api_key', 'bearer', 'basic_ticket', 'alf_ticket']);
  assert.deepEqual(Object.keys(headers), ['WWW-Authenticate']);
  assert.match(headers['WWW-Authenticate']?.description ?? '', /^`Bearer`/);
});

test('a user may send a password, and may get Retry-After', () => {
  const { schemes, headers } = calledAt('/api/rules/actiondefs', 'get');
  assert.deepEqual(schemes, ['basic', 'bearer', 'access_token', 'alf_ticket']);
  assert.deepEqual(Object.keys(headers), ['WWW-Authenticate', 'Retry-After']);
});

test('a form to authorize that few operations take says so, since the reference shows it beside those of all', () => {
  const { basic_ticket: gate, client, api_key: key } = document.components.securitySchemes;
  assert.match(gate.description, /^For the gate and administration alone: /);
  assert.match(client.description, /registered client/);
  assert.match(key.description, /^For administration alone: /);
});
