import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { exportJWK, generateKeyPair } from 'jose';
import * as oidc from 'openid-client';
import {
  ClientDocuments,
  isPublicAddress,
} from '../../../src/capabilities/oidc-provider/client-documents.ts';
import { formOn } from '../../faces/pages/browse.ts';
import { certified } from '../../service/certified.ts';
import { startTestService } from '../../service/start.ts';
import { asked } from '../admin/http/asked.ts';
import {
  goThrough,
  ISSUER,
  leadsTo,
  ORIGIN,
  PROVIDER,
  pathOf,
  REDIRECT,
  RelyingParty,
} from './relying-party.ts';

const CLIENT = 'https://chat.example.com/oauth/client.json';
const KEYS = 'https://chat.example.com/oauth/keys.json';
const DOCUMENT = { client_id: CLIENT, client_name: 'Chat', redirect_uris: [REDIRECT] };

/** What stands at addresses outside, in place of their servers; and which of them were read. */
function outside(t: TestContext, contents: Record<string, unknown>) {
  const reads: string[] = [];
  const caching: { cacheControl?: string } = {};
  t.mock.method(ClientDocuments, 'read', async (address: string) => {
    reads.push(address);
    if (!(address in contents)) throw new Error('its server answers 404');
    return { status: 200, body: contents[address], ...caching };
  });
  return { reads, caching, contents };
}

const register = (service: Parameters<typeof asked>[0], settings: object = {}, name = CLIENT) =>
  asked(service, `/applications/${encodeURIComponent(name)}`, {
    method: 'PUT',
    body: JSON.stringify({ redirectUris: [], ...settings }),
  });

async function started(t: TestContext, document: object = DOCUMENT) {
  const service = await startTestService(t, PROVIDER);
  await service.addUser('anna');
  const world = outside(t, { [CLIENT]: document });
  assert.equal((await register(service)).status, 200);
  return { service, ...world, party: await RelyingParty.discover(service, CLIENT, oidc.None()) };
}

test('a program whose client id is the address of its document signs people in, and they read whose document it is', async (t) => {
  const { service, party, reads } = await started(t);
  const visitor = party.visitor();
  const begun = await party.begin();
  await visitor.signIn('anna');
  const consent = await (await visitor.get(pathOf(leadsTo(await visitor.get(begun.path)) ?? ''))).text();
  assert.match(consent, /Sign in to Chat\?/);
  assert.match(consent, /document at chat\.example\.com.*back to app\.example\.net/s);
  const tokens = await party.tokensFor(await goThrough(visitor, begun.path), begun);
  assert.deepEqual([tokens.claims()?.aud, tokens.claims()?.preferred_username], [CLIENT, 'anna']);
  const refreshed = await oidc.refreshTokenGrant(party.configuration, tokens.refresh_token ?? '');
  assert.deepEqual(reads, [CLIENT], 'the document is cached');

  // Without PKCE nothing begins.
  const bare = new URL(ORIGIN + (await party.begin()).path);
  for (const name of ['code_challenge', 'code_challenge_method']) bare.searchParams.delete(name);
  assert.match(leadsTo(await visitor.get(pathOf(bare.href))) ?? '', /error=invalid_request/);

  // The account page ends it like any other, and a removal refuses it from the next request on.
  const account = await (await visitor.get('/portal/account')).text();
  const end = formOn(account, '/portal/account/applications/end') ?? assert.fail();
  assert.equal(end.application, CLIENT);
  await visitor.post('/portal/account/applications/end', end);
  await assert.rejects(oidc.refreshTokenGrant(party.configuration, refreshed.refresh_token ?? ''));
  const path = `/applications/${encodeURIComponent(CLIENT)}`;
  assert.equal((await asked(service, path, { method: 'DELETE' })).status, 204);
  const gone = await visitor.get(begun.path);
  assert.deepEqual([gone.status, /invalid_client/.test(await gone.text())], [400, true]);
});

test('metadata are also where RFC 8414 looks for them, and tell of documents once an application has one', async (t) => {
  const service = await startTestService(t, PROVIDER);
  outside(t, { [CLIENT]: DOCUMENT });
  const { pathname } = new URL(ISSUER);
  const metadata = async (path: string) => {
    const answer = await fetch(service.url + path);
    return answer.status === 200 ? ((await answer.json()) as Record<string, unknown>) : answer.status;
  };
  const INSERTED = `/.well-known/oauth-authorization-server${pathname}`;
  assert.equal((await fetch(`${service.url}${pathname}/protocol/openid-connect/auth`)).status, 404);
  // Before there is an application, whoever sets one up reads them.
  assert.ok(typeof (await metadata(INSERTED)) === 'object');
  await register(service, { redirectUris: [REDIRECT] }, 'app');
  for (const [path, isSupported] of [
    [INSERTED, undefined],
    [`${INSERTED}?a`, true],
    [`/.well-known/openid-configuration${pathname}`, true],
    [`${pathname}/.well-known/oauth-authorization-server`, true],
    [`${pathname}/.well-known/openid-configuration`, true],
  ] as const) {
    const told = await metadata(path);
    assert.ok(typeof told === 'object', path);
    assert.equal(told.issuer, ISSUER);
    assert.deepEqual(told.code_challenge_methods_supported, ['S256']);
    assert.equal(told.client_id_metadata_document_supported, isSupported, path);
    if (isSupported === undefined) await register(service);
  }
  assert.equal(await metadata(`${INSERTED}/more`), 404);
  const discovered = await oidc.discovery(new URL(ISSUER), CLIENT, {}, oidc.None(), {
    algorithm: 'oauth2',
    [oidc.customFetch]: (url, options) => fetch(url.replace(ORIGIN, service.url), options as RequestInit),
  });
  assert.equal(discovered.serverMetadata().issuer, ISSUER);
});

test('a document that cannot be used, or whose address for the sign-in is another one, refuses the sign-in', async (t) => {
  const { service, party, contents } = await started(t);
  const visitor = party.visitor();
  await visitor.signIn('anna');
  const other = await party.begin({ redirect_uri: 'https://evil.example.net/' });
  const answer = await visitor.get(other.path);
  assert.deepEqual([answer.status, leadsTo(answer)], [400, undefined]);
  assert.match(await answer.text(), /redirect_uri/);

  service.shiftClock(3_600_001);
  delete contents[CLIENT];
  const { path } = await party.begin();
  const unread = await visitor.get(path);
  assert.deepEqual([unread.status, leadsTo(unread)], [400, undefined]);
  assert.match(await unread.text(), /invalid_client_metadata.*its server answers 404/s);
  const line = service.lines.find((each) => each.includes('document of a client cannot be used'));
  assert.ok(line?.includes(CLIENT) && line.includes('404'));

  // A failure is not cached.
  contents[CLIENT] = DOCUMENT;
  assert.match(pathOf(leadsTo(await visitor.get(path)) ?? ''), /^\/portal\/login\?/);
});

test('a document that changes counts when its time is over, which is a minute at least and an hour at most', async (t) => {
  let now = 0;
  const documents = new ClientDocuments(() => now);
  const { contents, caching, reads } = outside(t, { [CLIENT]: DOCUMENT });
  const changed = { ...DOCUMENT, redirect_uris: ['https://chat.example.com/new'] };
  const uriAfter = async (seconds: number) => {
    now += seconds * 1_000;
    return (await documents.of(CLIENT)).redirect_uris[0];
  };
  for (const [control, seconds] of [
    [undefined, 600],
    ['max-age=5', 60],
    ['no-store', 60],
    ['private, max-age=900', 900],
    ['max-age=31536000', 3_600],
  ] as const) {
    delete caching.cacheControl;
    if (control !== undefined) caching.cacheControl = control;
    Object.assign(contents, { [CLIENT]: DOCUMENT });
    assert.equal(await uriAfter(10_000), REDIRECT, String(control));
    Object.assign(contents, { [CLIENT]: changed });
    assert.equal(await uriAfter(seconds - 1), REDIRECT, String(control));
    assert.equal(await uriAfter(1), changed.redirect_uris[0], String(control));
  }
  now += 10_000_000;
  const count = reads.length;
  await Promise.all([documents.of(CLIENT), documents.of(CLIENT)]);
  assert.equal(reads.length, count + 1, 'who asks at once shares one look');
});

test('a document says it of its own client, without a secret, and with addresses that an application may have', async (t) => {
  const documents = new ClientDocuments(Date.now);
  const { contents } = outside(t, {});
  for (const [document, why] of [
    [{ client_id: 'https://chat.example.com/oauth/other.json' }, /another client/],
    [{ client_id: `${CLIENT}/` }, /another client/],
    [{ client_id: undefined }, /no metadata of a client/],
    [{ redirect_uris: [] }, /no metadata/],
    [{ redirect_uris: 'https://app.example.net/' }, /no metadata/],
    [{ redirect_uris: ['https://*.example.net/'] }, /wildcard/],
    [{ redirect_uris: ['javascript:alert(1)'] }, /browsers act upon/],
    [{ redirect_uris: ['http://app.example.net/'] }, /is http/],
    [{ post_logout_redirect_uris: ['data:,x'] }, /browsers act upon/],
    [{ token_endpoint_auth_method: 'client_secret_basic' }, /by a secret/],
    [{ token_endpoint_auth_method: 'client_secret_jwt' }, /by a secret/],
    [{ client_secret: 'x' }, /by a secret/],
  ] as const) {
    contents[CLIENT] = { ...DOCUMENT, ...document };
    await assert.rejects(documents.of(CLIENT), why);
  }
  for (const body of [undefined, null, 'text', [DOCUMENT]]) {
    contents[CLIENT] = body;
    await assert.rejects(documents.of(CLIENT), /no metadata/);
  }
  contents[CLIENT] = {
    ...DOCUMENT,
    client_name: 'x'.repeat(101),
    redirect_uris: ['http://127.0.0.1/back', 'cursor://back'],
  };
  const { application_type, client_name } = await documents.of(CLIENT);
  assert.deepEqual([application_type, client_name], ['native', undefined]);
});

test('a program that proves itself by keys at an address of its document has to, and flows that it does not name are closed', async (t) => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const { service, contents } = await started(t, {
    ...DOCUMENT,
    grant_types: ['authorization_code'],
    token_endpoint_auth_method: 'private_key_jwt',
    jwks_uri: KEYS,
  });
  const proving = await RelyingParty.discover(
    service,
    CLIENT,
    oidc.PrivateKeyJwt({ key: privateKey, kid: 'a' }),
  );
  contents[KEYS] = { keys: [{ ...(await exportJWK(publicKey)), kid: 'a', alg: 'ES256' }] };
  const visitor = proving.visitor();
  const tokens = await proving.signIn(visitor);
  assert.equal(tokens.claims()?.aud, CLIENT);
  assert.equal(tokens.refresh_token, undefined);
  const bare = await RelyingParty.discover(service, CLIENT, oidc.None());
  await assert.rejects(bare.signIn(visitor), { error: 'invalid_client' });
});

test('documents are read by https alone, at public addresses, without redirections, to a length', async (t) => {
  for (const address of [
    ...['127.0.0.1', '10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
    ...[
      '224.0.0.1',
      '255.255.255.255',
      '198.18.0.1',
      '192.0.2.1',
      '::',
      '::1',
      'fe80::1',
      'fc00::1',
      'ff02::1',
    ],
    ...[
      '::ffff:10.0.0.1',
      '::ffff:7f00:1',
      '64:ff9b::a00:1',
      '64:ff9b:1::1',
      '::a00:1',
      'fec0::1',
      '2002:a00:1::',
      '2001:db8::1',
    ],
  ])
    assert.equal(isPublicAddress(address), false, address);
  for (const address of ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'])
    assert.equal(isPublicAddress(address), true, address);
  for (const [address, why] of [
    ['http://chat.example.com/', /https/],
    ['https://127.0.0.1/a', /127\.0\.0\.1 is not public/],
    ['https://[::1]/a', /::1 is not public/],
    ['https://[::ffff:a00:1]/a', /not public/],
    ['https://2130706433/a', /127\.0\.0\.1 is not public/],
    ['https://localhost/a', /localhost is at .*, which is not public/],
  ] as const)
    await assert.rejects(ClientDocuments.read(address), why);

  const { ca: authority, ...keys } = certified(t, 'DNS:localhost');
  const ca = readFileSync(authority, 'utf8');
  const answers: Record<string, RequestListener> = {
    '/client': (_, reply) => reply.end(JSON.stringify(DOCUMENT)),
    '/long': (_, reply) => reply.end(JSON.stringify({ ...DOCUMENT, more: 'x'.repeat(5 * 1_024) })),
    '/moved': (_, reply) => reply.writeHead(302, { location: '/client' }).end(),
    '/none': (_, reply) => reply.writeHead(404).end(JSON.stringify(DOCUMENT)),
  };
  const server = createServer(keys, (request, reply) => answers[request.url ?? '']?.(request, reply));
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  t.after(() => new Promise((resolve) => server.close(resolve)));
  const at = (path: string) => `https://localhost:${(server.address() as AddressInfo).port}${path}`;
  const options = { isAllowed: () => true, ca };
  assert.deepEqual((await ClientDocuments.read(at('/client'), options)).body, DOCUMENT);
  await assert.rejects(ClientDocuments.read(at('/long'), options), /longer than 5 KiB/);
  await assert.rejects(ClientDocuments.read(at('/moved'), options), /answers 302/);
  await assert.rejects(ClientDocuments.read(at('/none'), options), /answers 404/);
  await assert.rejects(ClientDocuments.read(at('/client'), { isAllowed: () => true }), /certificate/);
});

test('an application with a document has no secret, and no settings that hang on the document', async (t) => {
  const service = await startTestService(t);
  const added = await register(service, {
    title: 'Chat',
    groups: ['staff'],
    resources: { 'https://api.example.org': 'api' },
  });
  assert.deepEqual([added.status, added.body.hasSecret, added.body.secret], [200, false, undefined]);
  const path = `/applications/${encodeURIComponent(CLIENT)}`;
  assert.equal((await asked(service, `${path}/secret`, { method: 'POST' })).status, 409);
  assert.equal((await asked(service, path)).body.name, CLIENT);
  for (const [settings, why] of [
    [{ redirectUris: [REDIRECT] }, /redirectUris hangs on the document/],
    [{ public: true }, /public hangs on/],
    [{ jwks: { keys: [{ kty: 'EC' }] } }, /jwks hangs on/],
    [{ pairwise: true }, /pairwise hangs on/],
    [{ flows: ['code', 'password'] }, /flows has more than/],
    [{ flows: ['client_credentials'] }, /flows has more than/],
  ] as const) {
    const { status, body } = await register(service, settings);
    assert.equal(status, 400);
    assert.match(JSON.stringify(body), why);
  }
  for (const name of [
    'http://chat.example.com/a',
    'https://chat.example.com',
    'https://chat.example.com:443/a',
    'https://Chat.example.com/a',
    'https://chat.example.com/a/../b',
    'https://chat.example.com/%2e%2e/b',
    'https://chat.example.com/a?b',
    'https://chat.example.com/a#b',
    'https://me@chat.example.com/a',
    'https://chat.example.com/a b',
    `https://chat.example.com/${'a'.repeat(255)}`,
  ])
    assert.equal((await register(service, {}, name)).status, 400, name);
});
