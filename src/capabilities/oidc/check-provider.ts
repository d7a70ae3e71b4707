import * as client from 'openid-client';
import type { CheckedPart, SourceStep } from '../../core/domain/sign-in-source.ts';
import { fetchKeySet } from './key-set.ts';
import type { ProviderConfiguration } from './load.ts';
import { causesOf, OpenIdProvider } from './openid-provider.ts';
import { ProviderUnavailable } from './provider-unavailable.ts';

/** Collects steps: one sentence if it holds, another one if it does not. */
class Findings {
  readonly steps: SourceStep[] = [];

  note(ok: boolean, right: string, wrong = right): void {
    this.steps.push({ ok, found: ok ? right : wrong });
  }
}

const among = (names: readonly string[], offered: readonly string[] | undefined) =>
  offered === undefined ? names : names.filter((each) => offered.includes(each));

/** What the metadata promise (OpenID Connect Discovery 1.0 section 3), compared with the document. */
function compare(
  findings: Findings,
  metadata: client.ServerMetadata,
  { scopes, algorithms, claims, groups, signOut }: ProviderConfiguration,
): void {
  const { code_challenge_methods_supported: methods, claims_supported: said } = metadata;
  findings.note(
    metadata.authorization_endpoint !== undefined && metadata.token_endpoint !== undefined,
    'its metadata name where people sign in and where codes are exchanged',
    'its metadata lack authorization_endpoint or token_endpoint: it does not support the authorization code flow',
  );
  if (methods !== undefined)
    findings.note(
      methods.includes('S256'),
      'it knows PKCE (S256)',
      'it does not name S256 among its PKCE methods: switch PKCE on for this client',
    );
  const unknown = scopes.filter((scope) => !among(scopes, metadata.scopes_supported).includes(scope));
  findings.note(
    unknown.length === 0,
    `it knows the scopes ${scopes.join(', ')}`,
    `it does not know the scopes ${unknown.join(', ')}: add them there, or change "scopes"`,
  );
  const usable = among(algorithms, metadata.id_token_signing_alg_values_supported);
  findings.note(
    usable.length > 0,
    `it signs with ${usable.join(', ')}`,
    `it signs with ${metadata.id_token_signing_alg_values_supported?.join(', ')}: write one of them that has a public key as "algorithms"`,
  );
  const claimNames = [claims.name, ...(groups === undefined ? [] : [groups.claim])];
  const missing = claimNames.filter((claim) => !among(claimNames, said).includes(claim));
  if (missing.length > 0)
    findings.note(true, `it does not announce the claims ${missing.join(', ')}: see that tokens have them`);
  if (signOut)
    findings.note(
      metadata.end_session_endpoint !== undefined,
      'it has a sign-out',
      'its metadata lack end_session_endpoint: take "signOut" out',
    );
}

async function faultOfKeys(configuration: ProviderConfiguration): Promise<string | undefined> {
  try {
    const { keys } = (await fetchKeySet(configuration)) as { readonly keys?: unknown };
    return Array.isArray(keys) && keys.length > 0 ? undefined : 'there are none';
  } catch (error) {
    return (error as Error).message;
  }
}

/** Why the token endpoint does not accept this client. Sends it an invalid code. */
async function faultOfClient(
  configured: client.Configuration,
  redirectUri: string,
): Promise<string | undefined> {
  const { issuer } = configured.serverMetadata();
  const answer = new URLSearchParams({ code: 'of-a-check', state: 'check', iss: issuer });
  try {
    await client.authorizationCodeGrant(configured, new URL(`${redirectUri}?${answer}`), {
      expectedState: 'check',
      pkceCodeVerifier: client.randomPKCECodeVerifier(),
    });
    return undefined;
  } catch (error) {
    if (error instanceof client.ResponseBodyError)
      return /^(?:invalid|unauthorized)_client$/.test(error.error) ? error.error : undefined;
    return [...causesOf(error)].find((each) => each instanceof ProviderUnavailable)?.message;
  }
}

/** What to check if a provider does not say itself what is wrong. */
const TO_CHECK = ': check "issuer", "caFile", the name servers of this machine, and the firewalls between';

/**
 * Asks a provider for its metadata and keys, and, with an invalid code, whether it accepts this client. A step says what to register
 * there, what is right, or what is wrong and how to mend it.
 */
export async function checkProvider(
  configuration: ProviderConfiguration,
  { portalUrl }: { readonly portalUrl: string },
  clock: () => number,
): Promise<CheckedPart> {
  const { id, issuer, signOut } = configuration;
  const portal = portalUrl || 'https://HOST-OF-THE-PORTAL';
  const redirectUri = `${portal}/portal/signed-in/${id}`;
  const findings = new Findings();
  const part = { about: `${id} (${issuer})`, steps: findings.steps };
  findings.note(true, `register there as redirect URI: ${redirectUri}`);
  if (signOut) findings.note(true, `register there as post-logout redirect URI: ${portal}/portal/login`);
  const provider = new OpenIdProvider(configuration, clock);
  let metadata: client.ServerMetadata;
  try {
    metadata = await provider.discovered();
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    const mend = error.message.includes('"issuer"') ? '' : TO_CHECK;
    findings.note(false, `its metadata cannot be read: ${error.message}${mend}`);
    return part;
  }
  findings.note(true, 'it answers, and its metadata name this issuer');
  compare(findings, metadata, configuration);
  const logoutUri = `${portal}/oauth2/backchannel-logout/${id}`;
  if (metadata.backchannel_logout_supported === true)
    findings.note(true, `it tells who signs out there: register ${logoutUri} as back-channel logout URI`);
  const keys = await faultOfKeys(configuration);
  findings.note(keys === undefined, 'its keys can be read', `its keys cannot be read: ${keys}`);
  const fault = await faultOfClient(provider.configured(metadata), redirectUri);
  findings.note(
    fault === undefined,
    'it knows this client',
    `it does not accept this client (${fault}): compare clientId, and the secret in clientSecretFile`,
  );
  return part;
}

/** Checks these providers, or the one of this id alone. */
export const checkProviders = (
  configurations: readonly ProviderConfiguration[],
  settings: { readonly portalUrl: string },
  clock: () => number,
  only?: string,
): Promise<CheckedPart[]> =>
  Promise.all(
    configurations
      .filter(({ id }) => only === undefined || id === only)
      .map((each) => checkProvider(each, settings, clock)),
  );
