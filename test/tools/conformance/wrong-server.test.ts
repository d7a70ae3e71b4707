import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConformanceCase, Exchange, ExpectedAnswer } from '../../../conformance/player/case-file.ts';
import { loadCases } from '../../../src/tools/conformance/run.ts';
import { casesNamed, play, serviceWithAccounts, verdictsOf } from './playing.ts';
import { oneTicketAUser, type Spoil, spoiledServer } from './spoiling-proxy.ts';

const every = loadCases().flatMap(({ cases }) => cases);
/** The proxy itself refuses stray bytes, and sends no body with a GET. */
const NOT_PROXIED = ['stray-bytes', 'form-behind-get', 'form-ticket-behind-get'];
const THROUGH_PROXY = every.map(({ name }) => name).filter((name) => !NOT_PROXIED.includes(name));
const expectations = ({ exchanges }: ConformanceCase) => exchanges.map(({ answer }: Exchange) => answer);
const expects = (asked: (answer: ExpectedAnswer) => boolean) =>
  every.filter((each) => expectations(each).some(asked)).map(({ name }) => name);
const wantsHeader = ({ headers = {} }: ExpectedAnswer) =>
  Object.values(headers).some((value) => value !== null);
const wantsBody = ({ body, pattern, schema, holds }: ExpectedAnswer) =>
  (body !== undefined && body !== '') || [pattern, schema, holds].some((each) => each !== undefined);

/** Servers whose every answer is wrong in one way, and the cases that must notice. */
const SPOILED: readonly { what: string; spoil: Spoil; notice: readonly string[] }[] = [
  {
    what: 'with another status',
    spoil: (answer) => {
      answer.status = 418;
    },
    notice: every.map(({ name }) => name),
  },
  {
    what: 'without headers',
    spoil: (answer) => {
      answer.headers = {};
    },
    notice: expects(wantsHeader),
  },
  {
    what: 'without bodies',
    spoil: (answer) => {
      answer.text = '';
    },
    notice: expects(wantsBody),
  },
];

for (const { what, spoil, notice } of SPOILED) {
  test(`a server that answers ${what} passes none of the cases that check it`, async (t) => {
    const { url } = await serviceWithAccounts(t);
    const verdicts = verdictsOf(await play(await spoiledServer(t, url, spoil)));
    assert.ok(notice.length > 0);
    assert.deepEqual(
      notice.filter((name) => verdicts[name] === 'passed'),
      [],
    );
  });
}

test('a server that says yes to every ticket fails', async (t) => {
  const { url } = await serviceWithAccounts(t);
  const open = await spoiledServer(t, url, (answer, { method, url: target = '' }) => {
    if (method !== 'GET' || !target.includes('/login/ticket/') || answer.status < 400) return;
    const ticket = /ticket\/([^?]*)/.exec(target)?.[1];
    answer.status = 200;
    answer.text = `<?xml version="1.0" encoding="UTF-8"?>\n<ticket>${ticket}</ticket>\n`;
  });
  const names = [
    'validate-of-another',
    'validate-unknown',
    'validate-dead',
    'dead-at-once',
    'nothing-presented',
  ];
  const verdicts = verdictsOf(await play(open, casesNamed(...names, 'validate-xml-to-the-byte')));
  for (const name of names) assert.equal(verdicts[name], 'failed', name);
  assert.equal(verdicts['validate-xml-to-the-byte'], 'passed');
});

test('a server that accepts any password of an existing user does not pass', async (t) => {
  const { url } = await serviceWithAccounts(t);
  const open = await spoiledServer(t, url, (answer, { url: target = '', headers }) => {
    const basic = Buffer.from(headers.authorization?.slice(6) ?? '', 'base64').toString();
    if (answer.status === 401 && basic.startsWith('ana:')) {
      answer.status = 200;
      answer.headers = {};
      answer.text = 'let in';
    }
    if (answer.status === 403 && target.endsWith('/tickets')) answer.status = 201;
  });
  const names = ['wrong-password', 'v1-login-refused'];
  const verdicts = verdictsOf(await play(open, casesNamed(...names)));
  assert.deepEqual(
    names.map((name) => verdicts[name]),
    ['failed', 'beyond'],
  );
});

test('a server that says why it refuses a login, repeats a dead ticket or sets a cookie does not pass', async (t) => {
  const { url } = await serviceWithAccounts(t);
  const talkative = await spoiledServer(t, url, (answer, { url: target = '' }) => {
    if (answer.status === 403) answer.text = answer.text.replace('Login failed', 'Unknown user');
    if (answer.status === 404) answer.text += target;
    answer.headers['set-cookie'] = ['alf_ticket=x'];
  });
  const names = ['unknown-user-alike', 'validate-unknown', 'logout-unknown', 'no-cookie-is-set'];
  const verdicts = verdictsOf(await play(talkative, casesNamed(...names)));
  assert.deepEqual(
    names.map((name) => verdicts[name]),
    ['failed', 'failed', 'failed', 'beyond'],
  );
});

/** Wrong readings of a request line, and the one case that must notice. */
const MISREAD: Readonly<Record<string, { reads: (line: string) => string; notices: string }>> = {
  'an escaped slash as one between names': {
    reads: (line) => line.replaceAll(/%2F/gi, '/'),
    notices: 'escaped-slash',
  },
  'a plus in a path as a space': {
    reads: (line) => line.replace(/^[^?]*/, (path) => path.replaceAll('+', '%20')),
    notices: 'plus-in-path',
  },
  'a plus in a query as a plus': {
    reads: (line) => line.replace(/\?.*/, (query) => query.replaceAll('+', '%2B')),
    notices: 'plus-in-query',
  },
};

for (const [what, { reads, notices }] of Object.entries(MISREAD)) {
  test(`a server that reads ${what} differs only in the case about that`, async (t) => {
    const { url } = await serviceWithAccounts(t);
    const done = await play(
      await spoiledServer(t, url, () => undefined, reads),
      casesNamed(...THROUGH_PROXY),
    );
    const different = done.filter(({ verdict }) => verdict !== 'passed');
    assert.deepEqual(
      different.map(({ played }) => played.name),
      [notices],
    );
  });
}

test('an answer of the reference and a wrong answer get different verdicts', async (t) => {
  const { url } = await serviceWithAccounts(t);
  const reference = await spoiledServer(t, url, (answer, asked) => {
    delete answer.headers.allow;
    if (answer.status === 406) answer.status = 500;
    if (asked.headers['content-type'] === 'application/x-www-form-urlencoded') answer.status = 400;
  });
  const wrong = await spoiledServer(t, url, (answer) => {
    if (answer.status === 406) answer.status = 200;
  });
  const names = [
    'wrong-method',
    'any-content-type',
    'form-content-type',
    'format-not-offered',
    'options',
    'get-xml-to-the-byte',
  ];
  assert.deepEqual(verdictsOf(await play(reference, casesNamed(...names))), {
    'wrong-method': 'reference',
    'any-content-type': 'passed',
    'form-content-type': 'reference',
    'format-not-offered': 'reference',
    options: 'beyond',
    'get-xml-to-the-byte': 'passed',
  });
  const verdicts = verdictsOf(await play(wrong, casesNamed(...names)));
  assert.equal(verdicts['format-not-offered'], 'failed');
  assert.equal(verdicts['wrong-method'], 'passed');
});

test('a server that gives out a live ticket again differs only in the case about that', async (t) => {
  const { url } = await serviceWithAccounts(t);
  const done = await play(await spoiledServer(t, url, oneTicketAUser(url)), casesNamed(...THROUGH_PROXY));
  const different = done.filter(({ verdict }) => verdict !== 'passed');
  assert.deepEqual(verdictsOf(different), { 'each-login-a-new-ticket': 'reference' });
});

test('a server that obeys alf_method of a GET differs only in the case about that', async (t) => {
  const { url } = await serviceWithAccounts(t);
  const obeying = await spoiledServer(
    t,
    url,
    () => undefined,
    (line) => line.replace(/^GET (?=.*\balf_method=delete)/, 'DELETE '),
  );
  const different = (await play(obeying, casesNamed(...THROUGH_PROXY))).filter(
    ({ verdict }) => verdict !== 'passed',
  );
  assert.deepEqual(verdictsOf(different), { 'no-override-of-get': 'reference' });
});

test('a server without answers fails, also in cases that allow differences', async (t) => {
  const { url } = await serviceWithAccounts(t);
  const silent = await spoiledServer(t, url, (_, asked) => void asked.socket.destroy());
  const verdicts = verdictsOf(await play(silent, casesNamed('options', 'wrong-method', 'unknown-path')));
  assert.deepEqual(new Set(Object.values(verdicts)), new Set(['failed']));
});
