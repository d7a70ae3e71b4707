import { randomBytes } from 'node:crypto';
import type Provider from 'oidc-provider';
import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { isRefusal } from '../../core/domain/refusal.ts';
import type { MountedFront } from '../capability.ts';
import { accountFinder } from './accounts.ts';
import { type AdapterParts, factsNow } from './adapter.ts';
import { isJwt, jwtsFor, ownResource } from './resources.ts';

const wrongPassword = () => new errors.InvalidGrant('the name or the app password is wrong');

type PasswordGrantParts = MountedFront & { readonly adapter: AdapterParts };

/**
 * Adds the grant of a name and an app password (RFC 6749 section 4.3), for applications that are registered for it. The user's own
 * password is refused: a program that has it could do everything. What is issued hangs on a ticket of that app password.
 */
export function addPasswordGrant(provider: Provider, parts: PasswordGrantParts): void {
  const { tickets } = parts.adapter;
  const findAccount = accountFinder(parts.adapter);
  const handle = async (ctx: KoaContextWithOIDC) => {
    const { client, params } = ctx.oidc;
    const facts = factsNow();
    if (client === undefined || facts === undefined) throw new errors.InvalidGrant('no application');
    const { username, password, scope } = params as Readonly<Record<string, string | undefined>>;
    const verified = await parts.passwordsFrom(facts.client).check(username ?? '', password);
    if (isRefusal(verified)) {
      tickets.noteRefused(verified, facts.client);
      if (verified.refused === 'hash_queue_full' || verified.refused === 'passwords_unavailable')
        throw Object.assign(new errors.TemporarilyUnavailable(), { status: 503, statusCode: 503 });
      throw wrongPassword();
    }
    if (verified.appPassword === undefined) throw wrongPassword();
    const subject = await tickets.subjectOf(verified.userId);
    if ((await findAccount(ctx, subject, {})) === undefined)
      throw new errors.InvalidGrant('this user may not use the application');
    const ticket = await tickets.issueTo(verified, facts.client);
    if (ticket === undefined) throw new errors.InvalidGrant('the user gets no ticket');
    facts.grantTicket = ticket;
    ctx.body = await tokensFor(provider, ctx, subject, scopesIn(scope));
  };
  provider.registerGrantType('password', handle as never, ['username', 'password', 'scope']);
}

/** The scopes that an application may have of this request. A refresh token needs no scope of its own. */
const scopesIn = (scope = ''): string =>
  [...new Set(['openid', ...scope.split(' ').filter((each) => each !== '')])].join(' ');

/** The answer of the token endpoint (RFC 6749 section 5.1). */
async function tokensFor(provider: Provider, ctx: KoaContextWithOIDC, accountId: string, scope: string) {
  const client = ctx.oidc.client as NonNullable<KoaContextWithOIDC['oidc']['client']>;
  const resource = isJwt(client) ? ownResource(client) : undefined;
  const jti = randomBytes(32).toString('hex');
  const grant = new provider.Grant({ accountId, clientId: client.clientId, jti } as object);
  grant.addOIDCScope(scope);
  if (resource !== undefined) grant.addResourceScope(resource, scope);
  const grantId = await grant.save();
  const about = { accountId, client, grantId, gty: 'password', scope };
  const access = new provider.AccessToken(about as never);
  if (resource !== undefined) {
    const server = new (provider as unknown as ResourceServers).ResourceServer(resource, jwtsFor(client));
    Object.assign(access, { resourceServer: server });
  }
  const refreshes = client.grantTypeAllowed('refresh_token');
  const refresh = refreshes ? new provider.RefreshToken({ ...about, resource } as never) : undefined;
  ctx.oidc.entity('AccessToken', access);
  return {
    access_token: await access.save(),
    expires_in: access.expiration,
    refresh_token: await refresh?.save(),
    scope,
    token_type: access.tokenType,
  };
}

/** A member of the library that its types leave out. */
interface ResourceServers {
  readonly ResourceServer: new (identifier: string, info: object) => object;
}
