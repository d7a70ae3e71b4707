import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';

/** The claims that each scope shows. */
export const CLAIMS = {
  openid: ['sub'],
  profile: ['preferred_username', 'given_name', 'family_name', 'name'],
  email: ['email', 'email_verified'],
  groups: ['groups', 'roles'],
};

/** A page of the provider with this body. */
export const page = (body: string) =>
  `<!doctype html><html lang="en"><title>Identity provider</title><body>${body}</body></html>`;

const FORM = page(`<h1>Identity provider</h1><form method="post">
<label>Subject <input name="subject"></label>
<button name="act" value="go">Continue</button> <button name="act" value="cancel">Cancel</button></form>`);

/** The page where a person gives a subject, without a password, or declines. */
export async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse) {
  if (request.method !== 'POST') {
    response.setHeader('Content-Type', 'text/html').end(FORM);
    return;
  }
  const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
  const denied = { error: 'access_denied', error_description: 'The person <b>declined</b>' };
  const accepted = { login: { accountId: form.get('subject') ?? '' } };
  await provider.interactionFinished(request, response, form.get('act') === 'cancel' ? denied : accepted);
}

/** Gives each client what it asks for, without asking the person. */
export async function grantAll({ oidc }: KoaContextWithOIDC) {
  const { provider, client, session, params } = oidc;
  const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId });
  grant.addOIDCScope(Object.keys(CLAIMS).join(' '));
  for (const resource of [params?.resource ?? []].flat()) grant.addResourceScope(String(resource), 'read');
  await grant.save();
  return grant;
}

/** The page that asks whether to sign out. */
export const SIGN_OUT = {
  logoutSource: (context: KoaContextWithOIDC, form: string) => {
    context.body = page(`<h1>Sign out</h1>${form}`);
  },
};
