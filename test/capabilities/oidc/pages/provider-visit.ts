import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { JWTHeaderParameters, JWTPayload } from 'jose';
import type { Visitor } from '../../../faces/pages/browse.ts';
import { attributeOf, elementsIn, onlyElement, textOf } from '../../../faces/pages/markup.ts';
import {
  type IdentityProvider,
  type ProviderCookies,
  startIdentityProvider,
} from '../../../service/identity-provider.ts';
import { startTestService, type TestService, temporaryFolder } from '../../../service/start.ts';

/** A service with identity providers. */
export interface ServiceWithProviders {
  readonly service: TestService;
  /** The document of the providers. */
  readonly file: string;
}

/** The members of a provider in the document, by its id. */
export type WrittenMembers = Readonly<Record<string, unknown>>;

/** Starts a service with these providers, each under its id, and registers the service with each. */
export async function startWithProviders(
  t: TestContext,
  providers: Readonly<Record<string, readonly [IdentityProvider, WrittenMembers?]>>,
  env: Record<string, string> = {},
): Promise<ServiceWithProviders> {
  const file = join(await temporaryFolder(t), 'providers.json');
  const written = Object.entries(providers).map(([id, [{ issuer }, members]]) => ({
    ...{ id, name: `The ${id}`, issuer, clientId: 'tessera' },
    ...members,
  }));
  writeFileSync(file, JSON.stringify({ providers: written }));
  const service = await startTestService(t, { TESSERA_PROVIDERS: file, ...env });
  for (const [id, [provider]] of Object.entries(providers))
    provider.register({
      client_id: 'tessera',
      redirect_uris: [`${service.url}/portal/signed-in/${id}`],
      post_logout_redirect_uris: [`${service.url}/portal/login`],
    });
  return { service, file };
}

/** A service with one provider `acme`, where anna is known. */
export async function startWithAcme(
  t: TestContext,
  members: WrittenMembers = {},
  env: Record<string, string> = {},
): Promise<ServiceWithProviders & { readonly acme: IdentityProvider }> {
  const acme = await startIdentityProvider(t);
  acme.people.set('s-anna', {
    ...{ preferred_username: 'anna', given_name: 'Anna', family_name: 'Berg' },
    ...{ email: 'anna@example.org', email_verified: true, groups: ['editors'] },
  });
  return { ...(await startWithProviders(t, { acme: [acme, members] }, env)), acme };
}

/** The address to which a page leads at once. */
export function addressIn(text: string): string {
  const content = attributeOf(onlyElement(text, 'meta', { 'http-equiv': 'refresh' }), 'content') ?? '';
  return /^0; url=(.+)$/.exec(content)?.[1] ?? assert.fail(text);
}

/** Sends the form of a provider's button. Returns the address at the provider. */
export async function begin(visitor: Visitor, id = 'acme', back = '/portal/account'): Promise<string> {
  const response = await visitor.post(`/portal/sign-in-with/${id}`, { return: back });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return addressIn(text);
}

/** Takes the answer of a provider to the service. */
export const take = (visitor: Visitor, { pathname, search }: URL) => visitor.get(pathname + search);

/** Signs in at a provider. Without a subject the person declines there. */
export async function signInWith(
  visitor: Visitor,
  provider: IdentityProvider,
  { id = 'acme', subject, back, cookies }: SignInOptions,
): Promise<Response> {
  return take(visitor, await provider.signIn(await begin(visitor, id, back), subject, cookies));
}

interface SignInOptions {
  readonly id?: string;
  readonly subject?: string;
  readonly back?: string;
  readonly cookies?: ProviderCookies;
}

/** The sentence of a refused page, and its status. */
export async function refusedWith(response: Response): Promise<string> {
  const text = await response.text();
  const [heading, sentence] = elementsIn(onlyElement(text, 'main')).map(textOf);
  return `${response.status} ${heading === 'That did not work' ? sentence : text}`;
}

/** Changes the members of the one provider in the document, and has the service read it. */
export async function rewrite(service: TestService, file: string, members: object): Promise<void> {
  const { providers } = JSON.parse(readFileSync(file, 'utf8')) as { providers: [object] };
  writeFileSync(file, JSON.stringify({ providers: [{ ...providers[0], ...members }] }));
  service.reload();
}

/** A logout token of the provider, as the specification has it but for these claims. */
export function logoutToken(
  acme: IdentityProvider,
  claims: JWTPayload,
  header: Partial<JWTHeaderParameters> = {},
): Promise<string> {
  const iat = Math.floor(Date.now() / 1_000);
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const usual = { iss: acme.issuer, aud: 'tessera', iat, exp: iat + 120, jti: 'one', events };
  return acme.sign({ ...usual, ...claims }, { typ: 'logout+jwt', ...header });
}

/** Sends a logout token, as a provider does. */
export const sendLogout = ({ url }: TestService, token: string, id = 'acme') =>
  fetch(`${url}/oauth2/backchannel-logout/${id}`, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: token }),
  });
