import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readForm } from '../../../../src/core/http/request-body.ts';
import { logIn } from '../../../service/talk.ts';
import { exchange } from '../scenario.ts';
import { startGateway } from './gateway.ts';

const invalid = (text: string) => {
  const { error, error_description: description } = JSON.parse(text);
  assert.equal(error, 'invalid_request');
  assert.match(description, /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
  return description as string;
};

test('a form is read as RFC 6749 asks: escapes, a plus for a space, an empty value as left out', () => {
  const read = (text: string) => readForm(Buffer.from(text));
  assert.deepEqual(read('token=a%20b+c%2Bd&token_type_hint=&x='), { json: { token: 'a b c+d' } });
  assert.deepEqual(read(''), { json: {} });
  assert.deepEqual(readForm(undefined), { json: {} });
  assert.deepEqual(read('__proto__=x'), { json: Object.fromEntries([['__proto__', 'x']]) });
});

test('a form that is not UTF-8, or gives a parameter twice, is refused, and the refusal repeats none of it', () => {
  const detailOf = (text: string | Buffer) => {
    const read = readForm(Buffer.from(text as string));
    assert.ok('refused' in read && read.refused === 'form_unreadable');
    return read.detail;
  };
  assert.equal(detailOf(Buffer.from([0x74, 0x3d, 0xff])), 'it is not UTF-8');
  assert.equal(detailOf('token=a&token=a'), 'parameter token is given twice');
  assert.equal(detailOf('token=&token=a'), 'parameter token is given twice');
  assert.equal(detailOf('x=1&token=a&x=2'), 'parameter x is given twice');
  assert.equal(detailOf('S3cr3t&S3cr3t'), 'a parameter is given twice');
});

test('a faulty form is refused in the shape of RFC 6749', async (t) => {
  const { ask } = await startGateway(t);
  for (const [form, sentence] of [
    ['', /^Parameter token not specified/],
    ['token=', /^Parameter token not specified/],
    ['{"token":"x"}', /^Parameter token not specified/],
    ['token=x&token=x', /parameter token is given twice$/],
    ['token=x&scope=a&scope=a', /parameter scope is given twice$/],
  ] as const) {
    for (const path of ['introspect', 'revoke'] as const) {
      const { status, text } = await ask(path, form);
      assert.equal(status, 400, form);
      assert.match(invalid(text), sentence, form);
    }
  }
});

test('unknown parameters and hints change nothing', async (t) => {
  const { ask, service } = await startGateway(t);
  const token = await logIn(service.url);
  const form = { token, token_type_hint: 'refresh_token', scope: 'a b', client_id: 'gateway' };
  assert.match((await ask('introspect', form)).text, /"active":true/);
});

test('a body is read as a form, whatever its type', async (t) => {
  const { ask, service } = await startGateway(t);
  const token = await logIn(service.url);
  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded; charset=UTF-8'])
    assert.match((await ask('introspect', { token }, { 'content-type': type })).text, /"active":true/, type);
});

test('a ticket in the URL is not read, and other methods and paths are refused in the same shape', async (t) => {
  const { ask, service } = await startGateway(t);
  const token = await logIn(service.url);
  const { authorization } = { authorization: `Bearer ${token}` };
  const inUrl = await exchange(service.url, `POST /oauth2/introspect?token=${token}&alf_ticket=${token}`);
  assert.equal(inUrl.status, 401);
  const get = await exchange(service.url, 'GET /oauth2/introspect', { headers: { authorization } });
  assert.deepEqual([get.status, get.headers.allow], [405, 'POST, OPTIONS']);
  const nowhere = await exchange(service.url, 'POST /oauth2/token');
  assert.equal(nowhere.status, 404);
  const xml = await exchange(service.url, 'POST /oauth2/introspect?format=xml');
  assert.equal(xml.status, 406);
  const large = await ask('introspect', { token: 'x'.repeat(70_000) });
  assert.equal(large.status, 413);
  for (const { text } of [get, nowhere, xml, large]) invalid(text);
});
