import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shell } from '../../faces/cli/command.ts';
import { certificateFiles, tlsSettings } from '../../service/certified.ts';
import { temporaryFolder } from '../../service/start.ts';
import { curlLine, serve, TICKET_ANSWER } from './serve.ts';

const EVERYWHERE = { TESSERA_HOST: '0.0.0.0', TESSERA_INSECURE_HTTP: 'true' };

for (const [name, env, certificate, shape] of [
  ['on every address, over plain HTTP', EVERYWHERE, undefined, / http:\/\/127\.0\.0\.1:/],
  [
    'with TESSERA_HOSTS, over plain HTTP',
    { TESSERA_HOSTS: 'tickets.example.org' },
    undefined,
    / --resolve tickets\.example\.org:\d+:127\.0\.0\.1 http:\/\/tickets\.example\.org:/,
  ],
  [
    'with TESSERA_HOSTS and a certificate for one of them',
    { TESSERA_HOSTS: 'other.example.org,tickets.example.org' },
    ['IP:127.0.0.1,DNS:tickets.example.org'],
    / --cacert .* --resolve .* https:\/\/tickets\.example\.org:/,
  ],
  [
    'on loopback with a certificate for another name',
    {},
    ['DNS:x.example.org'],
    / -k https:\/\/127\.0\.0\.1:/,
  ],
  ['with a certificate for its address', {}, ['IP:127.0.0.1'], / --cacert '\/.*' https:\/\/127\.0\.0\.1:/],
  [
    'with a certificate for localhost',
    {},
    ['DNS:x.example.org,DNS:localhost'],
    / --cacert .* https:\/\/localhost:/,
  ],
  [
    'with a certificate for another name',
    EVERYWHERE,
    ['DNS:tickets.example.org'],
    / --cacert .* --resolve tickets\.example\.org:\d+:127\.0\.0\.1 https:\/\/tickets\.example\.org:/,
  ],
  ['with a wildcard', EVERYWHERE, ['DNS:*.example.org'], / https:\/\/tessera\.example\.org:/],
  ['with a name in the subject alone', EVERYWHERE, ['', 'old.example.org'], / https:\/\/old\.example\.org:/],
  ['with a certificate for nothing', EVERYWHERE, ['URI:urn:x', 'No Name'], / -k https:\/\/127\.0\.0\.1:/],
] as const) {
  test(`the curl line of a first start ${name} gives a ticket as it is pasted`, async (t) => {
    const cwd = await temporaryFolder(t);
    const tls = certificate && tlsSettings(certificateFiles(t, ...certificate));
    const { url, told } = serve(t, { cwd, env: { ...env, ...tls } });
    await url;
    const line = curlLine(told());
    assert.match(line, shape);
    assert.match((await shell(line, { cwd: '/' })).stdout, TICKET_ANSWER);
  });
}

test('the curl line of a first start on a Unix socket gives a ticket as it is pasted, and no link leads a browser there', async (t) => {
  const cwd = await temporaryFolder(t);
  const env = { TESSERA_HOST: `unix:${cwd}/http.sock`, TESSERA_HOSTS: 'tickets.example.org' };
  const { url, told } = serve(t, { cwd, env });
  assert.equal(await url, env.TESSERA_HOST);
  const line = curlLine(told());
  assert.match(line, / --unix-socket '\/.*' http:\/\/tickets\.example\.org\//);
  assert.match((await shell(line, { cwd: '/' })).stdout, TICKET_ANSWER);
  assert.doesNotMatch(told(), /in a browser/);
});
