import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signInNotice } from '../../../../src/capabilities/admin/pages/users/sign-in-view.ts';
import { SIGN_IN_REASONS } from '../../../../src/capabilities/people/rules/why-not-sign-in.ts';
import { LANGUAGES, sayIn } from '../../../../src/faces/pages/texts/texts.ts';
import { formOn, Visitor } from '../../../faces/pages/browse.ts';
import { readPage } from '../../../faces/pages/read-page.ts';
import { startTestService } from '../../../service/start.ts';
import { signedInAs, startConsole, textOf } from './console-service.ts';

const ANNA = '/portal/console/users/anna';

/** The sentence about the sign-in, without markup, and the tone of its notice. */
async function told(visitor: Visitor, path = ANNA, headers?: Record<string, string>) {
  const text = await textOf(visitor, path, headers);
  const [notice] = readPage(text).notices;
  return { tone: notice?.tone, sentence: notice?.text ?? '', text };
}

test('each reason has a sentence in each language, even if no time and no address is known', () => {
  for (const language of LANGUAGES) {
    for (const reason of SIGN_IN_REASONS) {
      const finding = { name: '<anna>', canSignIn: false, reason, lastSuccess: undefined, refused: [] };
      const text = String(signInNotice({ language, say: sayIn(language) }, finding));
      assert.match(text, /&lt;anna&gt;/, reason);
      assert.doesNotMatch(text, /[{}]|undefined|<anna>/, reason);
    }
  }
});

test('the page says on top why a user cannot sign in, who did it, and offers what mends it', async (t) => {
  const { service, visitor } = await startConsole(t);
  await service.addUser('anna');
  const fresh = await told(visitor);
  assert.deepEqual(
    [fresh.tone, fresh.sentence],
    [
      'neutral',
      'Nothing keeps anna from signing in, but no sign-in of this user is known: perhaps nobody has the password yet.',
    ],
  );
  await new Visitor(service).signIn('anna');
  service.shiftClock(600_000);
  await new Visitor(service).signIn('anna');
  const { sentence, text } = await told(visitor);
  assert.match(sentence, /^anna can sign in, and last did on .* from 127\.0\.0\.1\.$/);
  const times = ['last did on', '<dt>Last sign-in</dt>\\s*<dd>'].map(
    (before) => new RegExp(`${before} ?<time datetime="([^"]+)`).exec(text)?.[1],
  );
  assert.equal(times[0] ?? 'no time', times[1]);

  await visitor.send(`${ANNA}/disable`, `${ANNA}/disable`);
  const disabled = await told(visitor);
  assert.equal(disabled.tone, 'bad');
  assert.match(disabled.sentence, /^anna cannot sign in: the user is disabled\. admin did that on /);
  assert.ok(formOn(disabled.text, `${ANNA}/enable`));
  await visitor.send(ANNA, `${ANNA}/enable`);

  await visitor.send(`${ANNA}/lock`, `${ANNA}/lock`);
  const german = await told(visitor, ANNA, { 'Accept-Language': 'de' });
  assert.match(german.sentence, /^anna kann sich nicht anmelden: .* Das war admin am /);
  const operator = await signedInAs(service, 'operator');
  assert.ok(formOn((await told(operator)).text, `${ANNA}/unlock`));
});

test('failed sign-ins are told with their number and address, up to the lock-out and its end', async (t) => {
  const service = await startTestService(t, { TESSERA_THROTTLE_AFTER: '0', TESSERA_LOCKOUT_THRESHOLD: '3' });
  await service.addUser('anna');
  const visitor = await signedInAs(service, 'administrator');
  const fail = () => new Visitor(service).post('/portal/login', { username: 'anna', password: 'wrong' });
  await fail();
  const once = await told(visitor);
  assert.equal(once.tone, 'warning');
  assert.match(once.sentence, /1 sign-in since the last success had a wrong password, from 127\.0\.0\.1\.$/);
  await fail();
  await fail();
  const locked = await told(visitor);
  assert.equal(locked.tone, 'bad');
  assert.match(
    locked.sentence,
    /^anna cannot sign in until .*: 3 sign-ins failed, the last one from 127\.0\.0\.1/,
  );
  await visitor.send(ANNA, `${ANNA}/unlock`);
  await new Visitor(service).signIn('anna');
  assert.equal((await told(visitor)).tone, 'good');
});

test('a search for a removed user says that it was removed, and by whom', async (t) => {
  const { service, visitor } = await startConsole(t);
  await service.addUser('anna');
  await visitor.send(`${ANNA}/remove`, `${ANNA}/remove`, { typed: 'anna' });
  const removed = await told(visitor, '/portal/console/users?find=anna');
  assert.match(
    removed.sentence,
    /^There is no user anna any more: the user was removed\. admin did that on /,
  );
  assert.equal((await told(visitor, '/portal/console/users?find=hanna')).sentence, '');
});
