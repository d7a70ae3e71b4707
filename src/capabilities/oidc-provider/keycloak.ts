import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { Static } from 'typebox';
import { Compile } from 'typebox/schema';
import { faultOfClientName } from '../../core/domain/client.ts';
import { Type } from '../../core/schema.ts';
import { strictJson } from '../../core/strict-json.ts';
import { visible } from '../../core/visible.ts';
import { CommandRefused } from '../../faces/cli/failure.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';
import type { ApplicationSettings, Flow } from './application.ts';
import { faultOfSettings, needsSecret } from './faults.ts';

const text = () => Type.Optional(Type.String());
const flag = () => Type.Optional(Type.Boolean());

/** A client in an export of Keycloak, as far as it comes along. */
const KeycloakClient = Type.Object({
  clientId: Type.String(),
  name: text(),
  rootUrl: text(),
  baseUrl: text(),
  enabled: flag(),
  protocol: text(),
  bearerOnly: flag(),
  publicClient: flag(),
  consentRequired: flag(),
  clientAuthenticatorType: text(),
  secret: text(),
  redirectUris: Type.Optional(Type.Array(Type.String())),
  standardFlowEnabled: flag(),
  implicitFlowEnabled: flag(),
  directAccessGrantsEnabled: flag(),
  serviceAccountsEnabled: flag(),
  attributes: Type.Optional(Type.Record(Type.String(), Type.String())),
});
type KeycloakClient = Static<typeof KeycloakClient>;

const validator = Compile(KeycloakClient);

const OWN_CLIENTS =
  /^(account(-console)?|admin-cli|broker|realm-management|security-admin-console|.*-realm)$/;

/** Fewer characters could be guessed from the digest, which alone is stored. Keycloak makes 32. */
const LEAST_SECRET = 20;

/** An application in the file of the state. */
interface ApplicationInState {
  readonly name: string;
  readonly secretDigest?: string;
  readonly settings: ApplicationSettings;
}

/** What becomes of a client: the application, or why there is none; and the settings that do not come along. */
interface ConvertedClient {
  readonly application: ApplicationInState | string;
  readonly left: readonly string[];
}

/** Why the client cannot be an application, whatever its settings are. */
function whyNone(client: KeycloakClient): string | undefined {
  const { clientId, enabled, protocol = 'openid-connect', bearerOnly } = client;
  if (enabled === false) return 'it is disabled';
  if (protocol !== 'openid-connect') return `it speaks ${protocol}, and not OpenID Connect`;
  if (bearerOnly) return 'it only checks tokens (bearerOnly), which needs no application';
  return faultOfClientName(clientId);
}

/** Why the secret of the client cannot come along; undefined if it can. */
function whyNoSecret({
  secret,
  clientAuthenticatorType = 'client-secret',
}: KeycloakClient): string | undefined {
  if (clientAuthenticatorType !== 'client-secret')
    return `it proves itself by ${clientAuthenticatorType}: add it with its public keys, as jwks`;
  if (secret === undefined || /^\*+$/.test(secret))
    return 'the file does not have its secret: export by kc.sh export, or add the application, which makes a secret';
  if (secret.length < LEAST_SECRET)
    return `its secret has fewer than ${LEAST_SECRET} characters: add the application, which makes a secret`;
  return undefined;
}

function flowsOf(client: KeycloakClient): Flow[] {
  const { standardFlowEnabled, serviceAccountsEnabled, attributes = {} } = client;
  const isDevice = attributes['oauth2.device.authorization.grant.enabled'] === 'true';
  const refreshes = (standardFlowEnabled || isDevice) && attributes['use.refresh.tokens'] !== 'false';
  const flows: readonly (readonly [Flow, boolean | undefined])[] = [
    ['code', standardFlowEnabled],
    ['refresh', refreshes],
    ['client_credentials', serviceAccountsEnabled],
    ['device_code', isDevice],
  ];
  return flows.flatMap(([flow, isOn]) => (isOn ? [flow] : []));
}

/** The addresses after a sign-out: Keycloak parts them by `##`, and `+` are those of the sign-in. */
function logoutUrisOf(
  { attributes = {} }: KeycloakClient,
  redirectUris: readonly string[],
): readonly string[] {
  const uris = attributes['post.logout.redirect.uris']?.split('##') ?? [];
  return uris.flatMap((uri) => (uri === '+' ? redirectUris : uri === '-' ? [] : [uri]));
}

function convertedClient(client: KeycloakClient): ConvertedClient {
  const { clientId: name, publicClient, consentRequired, rootUrl = '', baseUrl = '' } = client;
  const left: string[] = [];
  const none = whyNone(client);
  if (none !== undefined) return { application: none, left };
  const flows = flowsOf(client);
  if (client.directAccessGrantsEnabled && flows.length > 0)
    left.push('direct access grants: add the flow password, which takes app passwords alone');
  if (client.implicitFlowEnabled)
    left.push('the implicit flow: add the flow implicit if it cannot do without');
  if (flows.length === 0) return { application: 'it has no flow that comes along', left };
  const isPublic = publicClient === true;
  const usable = (uris: readonly string[]) =>
    uris
      .map((uri) => (uri.startsWith('/') ? rootUrl + uri : uri))
      .filter((uri) => {
        const fault = faultOfSettings({ redirectUris: [uri], public: isPublic });
        if (fault !== undefined) left.push(fault.sentence);
        return fault === undefined;
      });
  const redirectUris = usable(flows.includes('code') ? (client.redirectUris ?? []) : []);
  const logoutUris = usable(logoutUrisOf(client, redirectUris));
  const [startUri] = usable(/^(?:\/|https?:)/.test(baseUrl) ? [baseUrl] : []);
  const title = client.name && !client.name.startsWith('$') ? client.name : undefined;
  const settings: ApplicationSettings = {
    redirectUris,
    ...(logoutUris.length > 0 && { postLogoutRedirectUris: logoutUris }),
    flows,
    ...(title !== undefined && { title }),
    ...(startUri !== undefined && { startUri }),
    ...(isPublic && { public: true }),
    ...(!consentRequired && { trusted: true }),
  };
  const fault = faultOfSettings(settings, name)?.sentence ?? (isPublic ? undefined : whyNoSecret(client));
  if (fault !== undefined) return { application: fault, left };
  const { secret = '' } = client;
  const proof = needsSecret({ name, settings }) ? { secretDigest: hash('sha256', secret) } : {};
  return { application: { name, ...proof, settings }, left };
}

function realmIn(file: string): { readonly clients?: unknown } {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandRefused(`${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    return Object(strictJson(content));
  } catch {
    throw new CommandRefused(`${file} is not JSON, as Keycloak exports a realm.`);
  }
}

/** The clients in a file. Throws if it is no export of a realm. */
function clientsIn(file: string): readonly KeycloakClient[] {
  const { clients } = realmIn(file);
  if (!Array.isArray(clients))
    throw new CommandRefused('Refused: the file has no clients of a realm, as kc.sh export writes them.');
  return clients.map((client) => {
    if (validator.Check(client)) return client;
    const [, [fault]] = validator.Errors(client);
    throw new CommandRefused(
      `Refused: a client is not as Keycloak exports it: ${fault?.instancePath} ${fault?.message}.`,
    );
  });
}

/** `tessera applications from-keycloak` */
export function fromKeycloakCommand(terminal: Terminal): Command {
  return new Command('from-keycloak')
    .description("Print the clients of a realm of Keycloak as applications, for 'tessera apply'.")
    .argument('<file>', 'The export of the realm.')
    .action((file: string) => {
      const clients = clientsIn(file).filter(({ clientId }) => !OWN_CLIENTS.test(clientId));
      const applications: string[] = [];
      for (const client of clients) {
        const { application, left } = convertedClient(client);
        const lines = left.map((what) => `left out ${what}`);
        if (typeof application === 'string') lines.push(`does not come along: ${application}`);
        else applications.push(`    ${JSON.stringify(application)}`);
        for (const line of lines)
          terminal.stderr.write(`${visible(`client "${client.clientId}": ${line}`)}\n`);
      }
      terminal.stdout.write(`{\n  "applications": [\n${applications.join(',\n')}\n  ]\n}\n`);
      if (applications.length < clients.length)
        throw new CommandRefused(
          `${clients.length - applications.length} of ${clients.length} clients do not come along.`,
        );
    });
}
