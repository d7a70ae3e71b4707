import { type Account, errors, type KoaContextWithOIDC } from 'oidc-provider';
import { wireNameOf } from '../../core/domain/group.ts';
import { displayNameOf, type Profile } from '../../core/domain/profile.ts';
import type { User } from '../../core/domain/user.ts';
import type { AdapterParts } from './adapter.ts';
import { type ApplicationSettings, mayUse, resourceName, tellsName } from './application.ts';
import { subjectOf, userIdOf } from './identifiers.ts';

/**
 * The claims of each scope. Clients of Keycloak know people by their user name, whatever they ask for; claims about the sign-in are the
 * library's.
 */
export const CLAIMS: Readonly<Record<string, readonly string[]>> = {
  openid: ['sub', 'preferred_username', 'acr', 'amr', 'auth_time'],
  profile: ['name', 'given_name', 'family_name'],
  email: ['email'],
  groups: ['groups'],
};

/** A user, as applications see it. */
export interface ProviderPerson {
  readonly subject: string;
  readonly user: User;
  readonly profile: Profile;
  /** The names of its groups, as clients of the service know them. */
  readonly groups: readonly string[];
}

/** The settings of the application that a client of the library is. A client without an application has no redirect address. */
export const applicationOf = (client: object): ApplicationSettings =>
  (client as { application?: ApplicationSettings }).application ?? { redirectUris: [] };

/** Finds the user of a subject; undefined if there is none, or it is of another database. */
export function findPerson(parts: AdapterParts, subject: string): Promise<ProviderPerson | undefined> {
  return parts.units.read(async ({ users, profiles, groups }) => {
    const id = userIdOf(subject);
    const [databaseId, user] = await Promise.all([users.databaseId(), users.find(id)]);
    if (user === undefined || user.disabled || subjectOf(databaseId, id) !== subject) return undefined;
    const [profile, memberships] = await Promise.all([profiles.find(id), groups.ofUser(id)]);
    return { subject, user, profile, groups: memberships.map(wireNameOf) };
  });
}

/** Whether the user of a token may still use the application and the resource of that token; true for a token without a user. */
export async function isUserStillAllowed(
  parts: AdapterParts,
  { accountId, clientId = '', aud }: { accountId?: string; clientId?: string | undefined; aud?: unknown },
): Promise<boolean> {
  if (accountId === undefined) return true;
  const person = await findPerson(parts, accountId);
  return parts.units.read(async ({ applications }) => {
    const application = await applications.find(clientId);
    const resource = application && resourceName(application.settings, aud);
    const target = resource === undefined ? application : await applications.find(resource);
    return [application, target].every((one) => one && person && mayUse(person.groups, one.settings));
  });
}

/** The scope of which a source of claims is. What has no claim of its own is of the profile. */
const SCOPE_OF: Readonly<Record<string, string>> = { userName: 'openid', groups: 'groups', email: 'email' };

/**
 * Returns the claims about a person for tokens and the userinfo endpoint. No other code decides them. A claim that the application
 * renames has both names.
 */
export function claimsOf(
  { subject, user, profile, groups }: ProviderPerson,
  application: ApplicationSettings,
  scopes: readonly string[],
): Record<string, unknown> {
  const { claims: names = {} } = application;
  const userName = tellsName(application, scopes) ? user.name : undefined;
  const all: Record<string, unknown> = {
    sub: subject,
    name: displayNameOf(user.name, profile),
    preferred_username: userName,
    given_name: profile.firstName,
    family_name: profile.lastName,
    email: profile.email,
    groups,
  };
  const sources: Record<string, unknown> = { ...profile, userName, groups };
  const usual = scopes.flatMap((scope) => CLAIMS[scope] ?? []).map((claim) => [claim, all[claim]] as const);
  const renamed = Object.entries(names)
    .filter(([source]) => scopes.includes(SCOPE_OF[source] ?? 'profile'))
    .map(([source, name]) => [name, sources[source]] as const);
  return Object.fromEntries([...usual, ...renamed].filter(([, value]) => value !== undefined));
}

/**
 * Finds accounts for the library. Who may not use the application has none there: what was issued before ends, and a sign-in is refused.
 */
export function accountFinder(parts: AdapterParts) {
  return async (ctx: KoaContextWithOIDC, subject: string, token?: object): Promise<Account | undefined> => {
    const { client } = ctx.oidc;
    const person = await findPerson(parts, subject);
    const application = client === undefined ? undefined : applicationOf(client);
    if (person === undefined) return undefined;
    if (application !== undefined && !mayUse(person.groups, application)) {
      if (token !== undefined) return undefined;
      throw new errors.AccessDenied('this user may not use the application');
    }
    return {
      accountId: subject,
      claims: async (_, scope) => ({
        ...claimsOf(person, application ?? { redirectUris: [] }, scope.split(' ')),
        sub: subject,
      }),
    };
  };
}
