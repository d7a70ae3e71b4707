import { type Html, html } from '../../../faces/pages/html.ts';
import type { Reader } from '../../../faces/pages/layout.ts';
import { facts } from '../../../faces/pages/parts/list.ts';
import type { Application } from '../application.ts';
import { hasDocument, needsSecret } from '../faults.ts';
import { PROTOCOL } from '../settings.ts';

/** What stands in the place of a secret: it is shown once, when it is made. */
const SECRET = 'SECRET_…';

/**
 * What to write into the settings of products, by their files: values of an application stand in braces. A line with `{secret}` is for
 * one that has a secret, and one that begins with `?` for one that has none.
 */
const EXAMPLES: Readonly<Record<string, string>> = {
  'Alfresco: alfresco-global.properties': `authentication.chain=identity-service1:identity-service,alfrescoNtlm1:alfrescoNtlm
identity-service.authentication.enabled=true
identity-service.auth-server-url={server}
identity-service.realm={realm}
identity-service.resource={name}
identity-service.credentials.secret={secret}
?identity-service.public-client=true`,
  'Alfresco Share: share-config.properties': `aims.enabled=true
aims.realm={realm}
aims.resource={name}
aims.authServerUrl={server}
aims.secret={secret}
?aims.publicClient=true`,
  'ADF: app.config.json': `"authType": "OAUTH",
"oauth2": {
  "host": "{issuer}",
  "clientId": "{name}",
  "scope": "openid profile email",
  "implicitFlow": false,
  "codeFlow": true,
  "silentLogin": true,
  "redirectSilentIframeUri": "{silent}",
  "redirectUri": "/",
  "redirectUriLogout": "/"
}`,
  'Grafana: grafana.ini': `[auth.generic_oauth]
enabled = true
name = Tessera
client_id = {name}
client_secret = {secret}
scopes = openid profile email groups
use_pkce = true
auth_url = {endpoint}/auth
token_url = {endpoint}/token
api_url = {endpoint}/userinfo
login_attribute_path = preferred_username`,
  'Nextcloud: user_oidc': `php occ user_oidc:provider tessera --clientid={name} \\
  --clientsecret={secret} \\
  --discoveryuri={issuer}/.well-known/openid-configuration`,
  'oauth2-proxy': `provider = "oidc"
oidc_issuer_url = "{issuer}"
redirect_url = "{redirect}"
client_id = "{name}"
client_secret = "{secret}"
code_challenge_method = "S256"
email_domains = ["*"]`,
};

function filledIn(example: string, application: Application, issuer: string): string {
  const { name, settings } = application;
  const { redirectUris } = settings;
  const server = issuer.replace(/\/realms\/[^/]+$/, '');
  const values: Readonly<Record<string, string>> = {
    name,
    issuer,
    server,
    realm: issuer.slice(server.length + '/realms/'.length),
    endpoint: `${issuer}${PROTOCOL}`,
    redirect: redirectUris[0] ?? '',
    silent: redirectUris.find((uri) => uri.includes('silent')) ?? redirectUris[0] ?? '',
    secret: SECRET,
  };
  const isOther = needsSecret(application) ? /^\?/ : /\{secret\}/;
  return example
    .split('\n')
    .filter((line) => !isOther.test(line))
    .map((line) => line.replace(/^\?/, '').replace(/\{(\w+)\}/g, (_, value: string) => values[value] ?? ''))
    .join('\n');
}

/**
 * What an application needs besides its secret: client ID and issuer, and examples of settings, each folded. Its secret is in none of
 * them.
 */
export function exampleSection(
  { say }: Reader,
  application: Application,
  issuer: string | undefined,
): Html | undefined {
  // A program with a document needs the address of its resource alone.
  if (hasDocument(application.name)) return undefined;
  if (issuer === undefined) return html`<p class="hint">${say('console.applications.noIssuer')}</p>`;
  const examples = Object.entries(EXAMPLES).map(
    ([title, example]) =>
      html`<details><summary>${title}</summary><pre tabindex="0">${filledIn(example, application, issuer)}</pre></details>`,
  );
  const hint = needsSecret(application) && say('console.applications.examplesSecret', { secret: SECRET });
  return html`<section><h2>${say('console.applications.examples')}</h2>
${facts([
  [say('console.applications.clientId'), html`<code>${application.name}</code>`],
  [say('console.applications.issuer'), html`<code>${issuer}</code>`],
])}
<p class="hint">${say('console.applications.examplesHint')} ${hint}</p>${examples}</section>`;
}
