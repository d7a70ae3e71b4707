import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { openBrowser, type Reader, whyNoBrowser } from '../../service/browser.ts';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';

const skip = whyNoBrowser() ?? false;

/** More than any page has to step through. */
const MOST_STEPS = 60;

/** Somebody who uses a page with the keyboard alone. */
class Typist {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Steps on until this has the focus, which has to be visible. */
  async reach(target: Locator): Promise<void> {
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      if (await target.evaluate((each) => each === each.ownerDocument.activeElement)) {
        assert.equal(await target.evaluate((each) => each.matches(':focus-visible')), true);
        const style = 'getComputedStyle(document.activeElement)';
        const seen = await this.#page.evaluate(`${style}.outlineStyle + ${style}.boxShadow`);
        assert.notEqual(seen, 'nonenone', 'the focus cannot be seen');
        return;
      }
      await this.#page.keyboard.press('Tab');
    }
    assert.fail(`the keyboard does not reach ${target}`);
  }

  /** Types into a field, and replaces what it holds. */
  async type(label: string, text: string): Promise<void> {
    await this.reach(this.#page.getByLabel(label, { exact: true }));
    await this.#page.keyboard.press('Control+A');
    await this.#page.keyboard.type(text);
  }

  /** Uses a button or a link, and waits for the page that follows. */
  async press(role: 'button' | 'link', name: string | RegExp): Promise<void> {
    await this.reach(this.#page.getByRole(role, { name, exact: true }).first());
    const led = this.#page.waitForEvent('load');
    await this.#page.keyboard.press('Enter');
    await led;
  }
}

const pathOf = (page: Page) => page.url().slice(new URL(page.url()).origin.length);

/** A service, and somebody at its sign-in page. */
async function arrive(t: TestContext, path: string, reader: Reader = {}) {
  const service = await startTestService(t);
  await service.addUser('anna');
  const { page } = await openBrowser(t, reader);
  await page.goto(`${service.url}${path}`);
  return { service, page, typist: new Typist(page) };
}

async function signIn(typist: Typist, name: string, password = PASSWORD): Promise<void> {
  await typist.type('User name', name);
  await typist.type('Password', password);
  await typist.press('button', 'Sign in');
}

for (const scripts of [true, false]) {
  const how = scripts ? 'with scripts' : 'without scripts';

  test(`the keyboard signs in, changes the password and signs out, ${how}`, { skip }, async (t) => {
    const { page, typist, service } = await arrive(t, '/portal', { scripts });
    await signIn(typist, 'anna', 'mistyped');
    assert.match(await page.getByRole('alert').innerText(), /wrong/);
    await signIn(typist, 'anna');
    assert.equal(pathOf(page), '/portal/account');
    await typist.press('link', 'Change password');
    await typist.type('Current password', PASSWORD);
    await typist.type('New password', 'seven green kettles sing');
    await typist.press('button', 'Change password');
    assert.match(await page.locator('main').innerText(), /Your password is changed/);
    await typist.press('button', 'Sign out');
    assert.equal(pathOf(page), '/portal/login?done=signed-out');
    await logIn(service.url, 'anna', 'seven green kettles sing');
  });
}

test('the keyboard ends one other ticket, and then all others', { skip }, async (t) => {
  const { page, typist, service } = await arrive(t, '/portal');
  const tickets = await Promise.all([1, 2, 3].map(() => logIn(service.url, 'anna', PASSWORD)));
  await signIn(typist, 'anna');
  await typist.press('button', /^End/);
  assert.match(await page.locator('main').innerText(), /That sign-in has ended/);
  assert.equal(await page.getByRole('button', { name: /^End/ }).count(), tickets.length - 1);
  await typist.press('link', 'End all other sign-ins');
  await typist.press('button', 'End all other sign-ins');
  assert.match(await page.locator('main').innerText(), /All your other sign-ins have ended/);
  assert.equal(await page.getByRole('button', { name: /^End/ }).count(), 0);
});

test('the keyboard makes an app password, and removes it after a question', { skip }, async (t) => {
  const { page, typist, service } = await arrive(t, '/portal', { scripts: false });
  await signIn(typist, 'anna');
  await typist.press('link', 'Make an app password');
  await typist.type('Name', 'scanner');
  await typist.press('button', 'Make an app password');
  const shown = await page.locator('.copy code').innerText();
  await typist.press('link', 'Done');
  assert.equal(pathOf(page), '/portal/account#app-passwords');
  const ticket = await logIn(service.url, 'anna', shown);
  await page.reload();
  assert.match(
    await page.getByRole('row').filter({ hasText: 'scanner' }).first().innerText(),
    /by the app password/,
  );
  await typist.press('link', 'Remove');
  await typist.press('button', 'Remove');
  assert.match(await page.locator('main').innerText(), /The app password is removed/);
  const authorization = `Basic ${Buffer.from(`:${ticket}`).toString('base64')}`;
  const asked = `${service.url}/api/login/ticket/${ticket}`;
  assert.equal((await fetch(asked, { headers: { authorization } })).status, 401);
});

for (const scripts of [true, false]) {
  test(`the keyboard finds a user in the console, and locks it after a question, with scripts ${scripts ? 'on' : 'off'}`, {
    skip,
  }, async (t) => {
    const { page, typist } = await arrive(t, '/portal/console/users', { scripts });
    await signIn(typist, 'admin');
    await typist.type('Name or e-mail (optional)', 'ann');
    await page.keyboard.press('Enter');
    await page.getByRole('row').filter({ hasText: 'admin' }).waitFor({ state: 'detached' });
    await typist.press('link', 'anna');
    await typist.press('link', 'Lock');
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Lock anna?');
    await typist.press('button', 'Lock');
    assert.equal(pathOf(page), '/portal/console/users/anna?done=lock');
    assert.match(await page.locator('main').innerText(), /is locked until somebody unlocks/);
  });
}

test('the first step on a page leads past its header', { skip }, async (t) => {
  const { page, typist } = await arrive(t, '/portal');
  await signIn(typist, 'anna');
  await page.keyboard.press('Tab');
  await typist.reach(page.getByRole('link', { name: 'Skip to content' }));
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate('document.activeElement.id'), 'main');
});
