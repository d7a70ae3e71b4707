import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage, signedInAs, textOf } from '../../admin/pages/console-service.ts';
import { startRuled } from './ruled.ts';

const PAGE = '/portal/console/gate';
const asking = (url: string, more = '') =>
  `${PAGE}?url=${encodeURIComponent(`https://wiki.example.org${url}`)}${more}`;

test('the console shows the rules of the gate, and why a request passes or is refused', async (t) => {
  const { service } = await startRuled(t, [
    { host: 'wiki.example.org', path: '/admin', allow: { groups: ['staff'] }, factor: 'second' },
    { host: 'wiki.example.org', path: '/closed', allow: 'none' },
    { host: 'wiki.example.org', methods: ['GET'], allow: 'public' },
    { host: '*.example.org', allow: 'signed-in' },
  ]);
  const operator = await signedInAs(service, 'operator');
  const { text } = await openPage(operator, PAGE);
  assert.match(text, /Groups: staff.*A second factor.*Nobody.*Everybody, without a sign-in.*Every user/s);
  const told: Record<string, RegExp> = {
    [asking('/admin/x', '&user=MIA')]: /passes\. The sign-in has to meet.*Groups of mia: editors, staff/s,
    [asking('/admin/x', '&user=ben')]: /refused: rule 1 does not let ben through/,
    [asking('/admin/x')]: /asks for a sign-in first/,
    [asking('/closed')]: /refused: rule 2 lets nobody through/,
    [asking('/')]: /passes, without a sign-in/,
    [asking('/', '&method=PUT&user=ben&from=10.1.2.3')]: /The request passes\./,
    [asking('/%00')]: /cannot be read.*control character/,
    [`${PAGE}?url=https://else.example.com/`]: /no rule is about it/,
    [asking('/', '&user=nobody')]: /There is no such user/,
    [asking('/', '&from=x')]: /Say where the request comes from/,
    [`${PAGE}?url=wiki`]: /Give the whole address/,
  };
  for (const [address, sentence] of Object.entries(told))
    assert.match((await openPage(operator, address)).text, sentence, address);
  const german = await textOf(operator, asking('/admin/x', '&user=ben'), { 'Accept-Language': 'de' });
  assert.match(german, /Regel 1 lässt ben nicht durch/);
  const authorization = `Bearer ${await service.addApiKey('operator')}`;
  const query = new URLSearchParams({ url: 'https://wiki.example.org/admin', user: 'BEN' });
  const answer = await fetch(`${service.url}/api/admin/gate/explanation?${query}`, {
    headers: { authorization },
  });
  const about =
    'wiki.example.org, /admin and below, lets through members of staff, after a sign-in with a second factor';
  assert.deepEqual(await answer.json(), {
    verdict: 'not-admitted',
    against: 1,
    answer: '403, since rule 1 lets through members of staff',
    rules: [{ number: 1, line: 1, text: about }],
    user: 'ben',
    groups: [],
  });
  const auditor = await signedInAs(service, 'auditor');
  assert.equal((await auditor.get(PAGE)).status, 403);
});
