import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { certified, type ServerCertificate } from '../../../service/certified.ts';
import { withoutChecksByDefault } from '../../../service/unchecked-tls.ts';
import { asking, ofNode } from '../rule/asking.ts';
import { ContentRepository, kept, READER } from './content-repository.ts';

async function inFront(t: TestContext, tls: ServerCertificate) {
  const root = kept('root-id', 'cm:folder', 'Company Home', kept('d1', 'cm:content'));
  const repository = await ContentRepository.start(t, root, tls);
  const caller = await asking(t, {
    TESSERA_NODES: repository.url,
    TESSERA_NODES_USER: READER.name,
    TESSERA_NODES_PASSWORD: READER.password,
  });
  return { ...caller, repository };
}

/** Trusts this authority too, as `NODE_EXTRA_CA_CERTS` would from the start. */
function trust(t: TestContext, ca: string): void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, readFileSync(ca, 'utf8')]);
  t.after(() => setDefaultCACertificates(before));
}

test('a content repository whose certificate is trusted is asked', async (t) => {
  const { ca, ...tls } = certified(t);
  trust(t, ca);
  const { get } = await inFront(t, tls);
  assert.equal((await get(ofNode('d1'))).status, 200);
});

test('a content repository with a certificate of nobody’s, or for another name, is told no password', async (t) => {
  const elsewhere = certified(t, 'DNS:elsewhere.example.org');
  trust(t, elsewhere.ca);
  for (const tls of [certified(t), elsewhere]) {
    const { get, repository, service } = await inFront(t, tls);
    await withoutChecksByDefault(async () => {
      assert.equal((await get(ofNode('d1'))).status, 503);
    });
    assert.deepEqual(repository.asked, []);
    assert.match(service.lines.join(), /cannot answer: .*(certificate|altnames)/);
  }
});
