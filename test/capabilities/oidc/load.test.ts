import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { loadProviders } from '../../../src/capabilities/oidc/load.ts';
import { DocumentsFaulty } from '../../../src/core/documents/read-document.ts';
import { certificateFiles } from '../../service/certified.ts';
import { ACME, providersDocument } from './written.ts';

const inDocument = (...providers: readonly object[]) => JSON.stringify({ providers });

test('what a provider leaves out has its default', async (t) => {
  const file = await providersDocument(t, inDocument(ACME));
  const [provider] = loadProviders(file);
  assert.deepEqual(provider, {
    ...ACME,
    clientSecret: undefined,
    ca: undefined,
    scopes: ['openid', 'profile', 'email'],
    claims: {
      name: 'preferred_username',
      email: 'email',
      firstName: 'given_name',
      lastName: 'family_name',
      subject: 'sub',
    },
    groups: undefined,
    audiences: [],
    algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'],
    ...{ signIn: true, addsUsers: true, takesLocalNames: false, askSecondFactor: false, signOut: false },
    deadline: 5_000,
  });
});

test('the files of a provider are found beside the document', async (t) => {
  const { ca } = certificateFiles(t);
  const written = { ...ACME, clientSecretFile: 'acme.secret', caFile: ca, claims: { name: 'upn' } };
  const file = await providersDocument(t, inDocument(written));
  writeFileSync(join(dirname(file), 'acme.secret'), 'of a test\n');
  const [{ clientSecret, ca: certificates = '', claims } = assert.fail()] = loadProviders(file);
  assert.equal(clientSecret, 'of a test');
  assert.match(certificates, /BEGIN CERTIFICATE/);
  assert.deepEqual([claims.name, claims.email], ['upn', 'email']);
});

test('every fault names its line and says what to write', async (t) => {
  const faulty: readonly (readonly [members: object, fault: RegExp])[] = [
    [{ issuer: undefined }, /providers\/0: /],
    [{ id: 'Acme' }, /id: /],
    [{ id: 'ldap' }, /id: stands for something else here: choose another id/],
    [{ issuer: 'id.example.org' }, /issuer: is no URL: write the issuer/],
    [{ issuer: 'http://id.example.org' }, /issuer: is without https: others could answer/],
    [{ issuer: 'https://id.example.org/?a' }, /issuer: has a query/],
    [
      { issuer: 'https://id.example.org/.well-known/openid-configuration' },
      /issuer: is the address of the metadata/,
    ],
    [{ clientSecret: 'x' }, /clientSecret: is no member of this object/],
    [{ clientSecretFile: 'none' }, /clientSecretFile: names a file that cannot be read: ENOENT/],
    [{ clientSecretFile: 'empty' }, /clientSecretFile: names a file that is empty: write the secret/],
    [{ caFile: 'empty' }, /caFile: names a file that holds no certificate in PEM/],
    [{ scopes: ['a b'] }, /scopes\/0: is no scope: write one word of each/],
    [{ algorithms: ['HS256'] }, /algorithms\/0: /],
    [{ algorithms: ['none'] }, /algorithms\/0: /],
    [{ audiences: ['tessera'] }, /audiences\/0: is the client id: ID tokens have it/],
    [{ groups: { claim: 'groups', prefix: 'a/' } }, /groups\/prefix: the name of a group has none of/],
    [{ groups: { claim: 'groups', names: { a: 'GROUP_EVERYONE' } } }, /groups\/names\/a: .* is computed/],
    [{ groups: { names: {} } }, /groups: /],
    [{ deadline: 5 }, /deadline: /],
  ];
  for (const [members, fault] of faulty) {
    const file = await providersDocument(t, `{"providers": [\n${JSON.stringify({ ...ACME, ...members })}]}`);
    writeFileSync(join(dirname(file), 'empty'), '\n');
    assert.throws(
      () => loadProviders(file),
      (error: Error) => {
        assert.ok(error instanceof DocumentsFaulty);
        assert.match(error.message, fault);
        assert.ok(error.message.startsWith(`${file}:2 `), error.message);
        return true;
      },
    );
  }
});

test('two providers have two ids and two issuers', async (t) => {
  const file = await providersDocument(t, inDocument(ACME, ACME));
  assert.throws(
    () => loadProviders(file),
    /providers\/1\/id: is that of provider 1.*\n.*1\/issuer: is that of/,
  );
});

test('the document on the page about providers is read without a fault', async (t) => {
  const page = readFileSync(
    new URL('../../../docs/how-to/sign-in-with-a-provider.md', import.meta.url),
    'utf8',
  );
  const [, shown = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  const file = await providersDocument(t, shown);
  writeFileSync(join(dirname(file), 'example.secret'), 'of a test');
  assert.deepEqual(
    loadProviders(file).map(({ id, name, groups }) => [id, name, groups?.claim]),
    [['example', 'Example', 'groups']],
  );
});
