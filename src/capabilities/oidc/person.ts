import type { ExternalPerson } from '../../core/domain/external-identity.ts';
import { faultOfNewGroupName } from '../../core/domain/group.ts';
import { faultOfProfileValue, type Profile } from '../../core/domain/profile.ts';
import type { ProviderConfiguration } from './load.ts';

/** What a provider says about a person: the claims of an ID token, of the userinfo endpoint or of an access token. */
export type PersonClaims = AnyClaims & { readonly sub: string };

type AnyClaims = Readonly<Record<string, unknown>>;

/** Why claims do not describe a possible user. The text contains no value of a claim. */
export interface ClaimFault {
  readonly fault: string;
}

/** The claim of this name; else the member that the name leads to, such as `realm_access.roles`. */
function claimIn(claims: AnyClaims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const member of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return undefined;
    value = (value as Record<string, unknown>)[member];
  }
  return value;
}

const textIn = (claims: AnyClaims, name: string): string | undefined => {
  const value = claimIn(claims, name);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
};

/** Whether the provider itself says that the person did not prove to have this address. */
const isUnverifiedMail = (claims: PersonClaims, name: string) =>
  name === 'email' && (claims.email_verified === false || claims.email_verified === 'false');

function profileFrom(claims: PersonClaims, { claims: names }: ProviderConfiguration): Profile {
  const fields = (['firstName', 'lastName', 'email'] as const).map((field) => {
    const value = isUnverifiedMail(claims, names[field]) ? undefined : textIn(claims, names[field]);
    return [field, value] as const;
  });
  return Object.fromEntries(
    fields.filter(([field, value]) => value !== undefined && faultOfProfileValue(field, value) === undefined),
  );
}

/** The groups here that the provider puts the person into. What cannot be the name of a group is left out. */
function groupsFrom(
  value: unknown,
  { names, prefix = '' }: NonNullable<ProviderConfiguration['groups']>,
): readonly string[] {
  const values = [value ?? []].flat().filter((each) => typeof each === 'string');
  const named = values.flatMap((each) => {
    // Keycloak gives the path of a group.
    if (names === undefined) return prefix + each.replace(/^\//, '');
    return Object.hasOwn(names, each) ? [names[each] as string] : [];
  });
  return [...new Set(named)].filter((name) => faultOfNewGroupName(name) === undefined);
}

/** Whether the claims leave out groups because there are too many for a token, as Entra does (`_claim_names`). */
function hasGroupsElsewhere({ _claim_names: elsewhere }: PersonClaims, claim: string): boolean {
  return typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, claim);
}

/** Whether these claims hold the name, the identifier and, if groups depend on them, the groups. The userinfo endpoint may know more. */
export function isComplete(
  claims: PersonClaims,
  { claims: { name, subject }, groups }: ProviderConfiguration,
): boolean {
  return (
    textIn(claims, name) !== undefined &&
    textIn(claims, subject) !== undefined &&
    (groups === undefined ||
      claimIn(claims, groups.claim) !== undefined ||
      hasGroupsElsewhere(claims, groups.claim))
  );
}

/** What identifies the person of these claims at the provider; undefined if they do not tell. */
export const subjectIn = (
  { claims: { subject } }: Pick<ProviderConfiguration, 'claims'>,
  claims: AnyClaims & { readonly sub?: string },
): string | undefined => (subject === 'sub' ? claims.sub : textIn(claims, subject));

const missing = (claim: string, what: string): ClaimFault => ({
  fault: `the claim ${claim} with ${what} is missing: have the provider send it, or name another one in TESSERA_PROVIDERS`,
});

/** The person that these claims describe; or why they do not describe one. */
export function personFrom(
  configuration: ProviderConfiguration,
  claims: PersonClaims,
): ExternalPerson | ClaimFault {
  const { id, claims: names, groups } = configuration;
  const name = textIn(claims, names.name);
  if (name === undefined) return missing(names.name, 'the user name');
  const subject = subjectIn(configuration, claims);
  if (subject === undefined) return missing(names.subject, 'the identifier of the person');
  if (isUnverifiedMail(claims, names.name))
    return { fault: 'the user name is an address for mail that the provider has not verified' };
  if (groups !== undefined && hasGroupsElsewhere(claims, groups.claim))
    return {
      fault: `the groups are too many for a token: have the provider send only those that are assigned to this application in the claim ${groups.claim}`,
    };
  return {
    provider: id,
    subject,
    name,
    profile: profileFrom(claims, configuration),
    groups: groups && groupsFrom(claimIn(claims, groups.claim), groups),
  };
}
