import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { NO_BRAND } from '../../../src/core/domain/brand.ts';
import { brandAssetOf } from '../../../src/faces/pages/brand-assets.ts';
import { accentColours, LEAST_CONTRAST } from '../../../src/faces/pages/brand-colours.ts';
import { startTestService, temporaryFolder } from '../../service/start.ts';
import { Visitor } from './browse.ts';
import { attributeOf, elementsNamed, onlyElement, textOf } from './markup.ts';

/** A picture that would run a script and load others, if it could. */
const HOSTILE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8" onload="alert(1)"><script>alert(2)</script><image href="https://evil.example/"/></svg>';
/** The head of a PNG, with its width and height. */
const PNG = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x30\0\0\0\x10', 'latin1'),
  Buffer.alloc(9),
]);

async function fileWith(t: TestContext, name: string, content: string | Buffer): Promise<string> {
  const file = join(await temporaryFolder(t), name);
  await writeFile(file, content);
  return file;
}

const BRANDED = {
  TESSERA_BRAND_NAME: 'Example & Sons',
  TESSERA_BRAND_ACCENT: '#FFCC00',
  TESSERA_BRAND_HELP_URL: 'https://www.example.org/help',
  TESSERA_BRAND_IMPRINT_URL: 'https://www.example.org/imprint',
  TESSERA_BRAND_PRIVACY_URL: 'https://www.example.org/privacy',
};

test('each page has the name, the logo, the colour and the links of the operator', async (t) => {
  const logo = await fileWith(t, 'logo.svg', HOSTILE);
  const service = await startTestService(t, { ...BRANDED, TESSERA_BRAND_LOGO: logo });
  await service.addUser('anna', { administrator: true });
  const visitor = new Visitor(service);
  const login = await (await visitor.get('/portal/login')).text();
  await visitor.signIn('anna');
  const pages = ['/portal/account', '/portal/console', '/portal/nothing-here'];
  const texts = await Promise.all(pages.map(async (path) => (await visitor.get(path)).text()));
  for (const text of [login, ...texts]) {
    assert.match(text, /<title>[^<]+ · Example &amp; Sons<\/title>/);
    const mark = onlyElement(text, 'a', { class: 'mark' });
    assert.equal(textOf(mark).trim(), 'Example & Sons');
    assert.match(
      attributeOf(onlyElement(mark, 'img'), 'src') ?? '',
      /^\/portal\/assets\/logo\.svg\?tag=[0-9a-f]{16}$/,
    );
    const links = elementsNamed(onlyElement(text, 'footer'), 'a');
    assert.deepEqual(
      links.map((each) => [textOf(each), attributeOf(each, 'href')]),
      [
        ['Help', BRANDED.TESSERA_BRAND_HELP_URL],
        ['Imprint', BRANDED.TESSERA_BRAND_IMPRINT_URL],
        ['Privacy', BRANDED.TESSERA_BRAND_PRIVACY_URL],
      ],
    );
    assert.equal(text.match(/\/portal\/assets\/brand\.css\?tag=/g)?.length, 1);
  }
  assert.ok(!login.includes('Tessera'));
});

test('a hostile logo can run nothing and load nothing, also opened by itself', async (t) => {
  const logo = await fileWith(t, 'logo.svg', HOSTILE);
  const { url } = await startTestService(t, { TESSERA_BRAND_LOGO: logo });
  const login = await (await fetch(`${url}/portal/login`)).text();
  const [address = ''] = /\/portal\/assets\/logo\.svg\?tag=\w+/.exec(login) ?? [];
  const response = await fetch(url + address);
  assert.equal(await response.text(), HOSTILE);
  assert.equal(response.headers.get('content-type'), 'image/svg+xml;charset=UTF-8');
  assert.equal(
    response.headers.get('content-security-policy'),
    "default-src 'none';style-src 'unsafe-inline';img-src data:;sandbox",
  );
  assert.match(response.headers.get('cache-control') ?? '', /immutable/);
});

test('a PNG is a logo, too, and without a brand pages are those of Tessera', async (t) => {
  const logo = await fileWith(t, 'logo.png', PNG);
  const { url } = await startTestService(t, { TESSERA_BRAND_LOGO: logo });
  const picture = await (await fetch(`${url}/portal/assets/logo.svg`)).text();
  assert.ok(picture.includes('viewBox="0 0 48 16"') && picture.includes(PNG.toString('base64')));
  const plain = await startTestService(t);
  const login = await (await fetch(`${plain.url}/portal/login`)).text();
  assert.match(textOf(onlyElement(login, 'title')), / · Tessera$/);
  assert.doesNotMatch(login, /brand\.css|logo\.svg/);
  assert.equal(elementsNamed(onlyElement(login, 'footer'), 'a').length, 0);
});

test('what cannot be shown is refused at the start, and the error says what to write', async (t) => {
  const large = await fileWith(t, 'large.svg', `<svg>${' '.repeat(70_000)}</svg>`);
  const page = await fileWith(t, 'page.svg', '<html><svg></svg></html>');
  const faults: readonly [name: string, value: string, told: RegExp][] = [
    ['LOGO', large, /is no logo of at most 65536 bytes, it has 70011/],
    ['LOGO', page, /is no logo: name a file with an SVG or a PNG/],
    ['LOGO', '/nowhere/logo.svg', /TESSERA_BRAND_LOGO: .*nowhere/],
    ['ACCENT', 'red', /"red" is no colour: write six hexadecimal digits behind #/],
    ['NAME', 'two\nlines', /is no name for pages/],
    [
      'HELP_URL',
      'javascript:alert(1)',
      /TESSERA_BRAND_HELP_URL: "javascript:alert\(1\)" is no address of a page/,
    ],
  ];
  for (const [name, value, told] of faults)
    await assert.rejects(startTestService(t, { [`TESSERA_BRAND_${name}`]: value }), told);
});

test('links and buttons in the colour of the operator can be read in both schemes, whatever the colour is', () => {
  for (let number = 0; number < 0x1000000; number += 0x0a0b1d) {
    const accent = `#${number.toString(16).padStart(6, '0')}`;
    for (const scheme of ['light', 'dark'] as const) {
      const colours = accentColours(accent, scheme);
      assert.ok(colours.contrast >= LEAST_CONTRAST, `${accent} on ${scheme}: ${JSON.stringify(colours)}`);
    }
  }
  assert.equal(accentColours('#2f50c2', 'light').accent, '#2f50c2');
  assert.deepEqual(
    ['#2f50c2', '#ffcc00'].map((accent) => accentColours(accent, 'dark').on),
    ['#000000', '#000000'],
  );
  const style = brandAssetOf('brand', { ...NO_BRAND, brandAccent: '#ffcc00' }).text;
  assert.match(style, /^:root \{--accent:#856a00;.*--on-accent:#ffffff/);
  assert.match(style, /data-theme="dark"\] \{--accent:#ffcc00;.*--on-accent:#000000/);
});
