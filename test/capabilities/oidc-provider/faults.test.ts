import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApplicationSettings } from '../../../src/capabilities/oidc-provider/application.ts';
import { faultOfSettings } from '../../../src/capabilities/oidc-provider/faults.ts';
import { detailText } from '../../../src/faces/pages/refusal-page.ts';
import { sayIn } from '../../../src/faces/pages/texts/texts.ts';

const BACK = 'https://app.example.org/back';
const of = (settings: Partial<ApplicationSettings>) => faultOfSettings({ redirectUris: [BACK], ...settings });

test('a redirect address is https, http for this computer alone, or a scheme of a public application', () => {
  for (const address of [
    BACK,
    'https://app.example.org:8443/a?b=c',
    'http://localhost:4200/',
    'http://127.0.0.1/back',
    'http://[::1]:9/back',
  ])
    assert.equal(of({ redirectUris: [address] }), undefined, address);
  for (const address of ['iosacsapp://aims/auth', 'org.example.app:/back'])
    assert.equal(of({ redirectUris: [address], public: true }), undefined, address);
});

/** A page in German says what is wrong in German. */
function assertGerman(fault: ReturnType<typeof of>): void {
  const sentence = fault?.sentence ?? assert.fail('no fault');
  const german = detailText(sayIn('de'), sentence);
  assert.notEqual(german, sentence);
  assert.doesNotMatch(german, /\b(?:the|has|which|give|leave|whose)\b/);
  assert.notEqual(detailText(sayIn('en'), sentence), german);
}

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ['', /absolute/],
  ['/back', /absolute/],
  ['//app.example.org/back', /absolute/],
  ['app.example.org/back', /absolute/],
  ['https://*.example.org/back', /wildcard/],
  ['https://app.example.org/*', /wildcard/],
  ['https://app.example.org/back#', /fragment/],
  ['https://app.example.org@evil.example/back', /user name/],
  ['https://app.example.org\\@evil.example/', /backslash/],
  [' https://app.example.org/', /absolute|white space/],
  ['http://app.example.org/back', /is http/],
  ['http://localhost.evil.example/back', /is http/],
  ['javascript:alert(1)', /browsers act upon/],
  ['JavaScript:alert(1)', /browsers act upon/],
  ['data:text/html,x', /browsers act upon/],
];

test('any other address is refused with what to do, wherever it stands', () => {
  for (const [address, why] of REFUSED)
    for (const member of ['redirectUris', 'postLogoutRedirectUris'] as const) {
      const fault = of({ [member]: [address], public: true });
      assert.equal(fault?.member, member, address);
      assert.match(fault?.sentence ?? '', why, address);
      assertGerman(fault);
    }
  assert.match(of({ redirectUris: ['org.example.app:/back'] })?.sentence ?? '', /scheme of its own/);
  assert.equal(of({ logo: 'javascript:alert(1)' })?.member, 'logo');
  assert.equal(of({ logo: '//evil.example/logo.png' })?.member, 'logo');
  assert.equal(of({ logo: '/portal/assets/logo.svg' }), undefined);
});

test('settings that contradict each other are refused at the member to change', () => {
  const refused: readonly (readonly [Partial<ApplicationSettings>, keyof ApplicationSettings])[] = [
    [{ redirectUris: [] }, 'redirectUris'],
    [{ redirectUris: [], flows: ['implicit'] }, 'redirectUris'],
    [{ flows: ['magic' as 'code'] }, 'flows'],
    [{ title: ' ' }, 'title'],
    [{ flows: ['refresh', 'client_credentials'] }, 'flows'],
    [{ flows: ['code', 'client_credentials'], public: true }, 'flows'],
    [{ jwks: { keys: [{ kty: 'OKP' }] }, public: true }, 'jwks'],
    [{ jwks: { keys: [{ kty: 'OKP', d: 'x' }] } }, 'jwks'],
    [{ jwks: { keys: [{ kty: 'oct', k: 'x' }] } }, 'jwks'],
    [{ jwks: { keys: [{}] } }, 'jwks'],
    [{ accessTokenLifetime: 301 }, 'accessTokenLifetime'],
    [{ claims: { shoe: 'size' } }, 'claims'],
    [{ actsForUser: true }, 'actsForUser'],
    [{ claims: { groups: 'sub' } }, 'claims'],
    [{ resources: { 'api.example.org': 'api' } }, 'resources'],
    [{ resources: { 'https://api.example.org/#x': 'api' } }, 'resources'],
    [{ resources: { 'https://api.example.org': 'a:b' } }, 'resources'],
    [{ secondFactor: true, flows: ['code', 'password'] }, 'secondFactor'],
    [{ pairwise: true, redirectUris: [BACK, 'https://other.example.org/back'] }, 'pairwise'],
    [{ pairwise: true, redirectUris: ['org.example.app:/back'], public: true }, 'pairwise'],
    [{ pairwise: true, flows: ['code', 'device_code'] }, 'pairwise'],
    [{ pairwise: true, flows: ['client_credentials'], redirectUris: [] }, 'pairwise'],
  ];
  for (const [settings, member] of refused) {
    const fault = of(settings);
    assert.equal(fault?.member, member, JSON.stringify(settings));
    // The form has no other flows.
    if (!settings.flows?.includes('magic' as 'code')) assertGerman(fault);
  }
  for (const settings of [
    { redirectUris: [], flows: ['client_credentials'] },
    { redirectUris: [], flows: ['device_code', 'refresh'], public: true },
    { accessTokens: 'opaque', accessTokenLifetime: 3_600 },
    { pairwise: true, redirectUris: [BACK, `${BACK}/silent`] },
    { jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'x' }] } },
    { claims: { groups: 'roles', userName: 'upn' } },
    { resources: { 'https://api.example.org': 'api', 'urn:example:store': 'store' }, secondFactor: true },
  ] as const satisfies readonly Partial<ApplicationSettings>[])
    assert.equal(of(settings as Partial<ApplicationSettings>), undefined, JSON.stringify(settings));
});
