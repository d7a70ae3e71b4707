import type { Static } from 'typebox';
import { Compile } from 'typebox/schema';
import { groupKey } from '../../../core/domain/group.ts';
import { PROFILE_FIELDS } from '../../../core/domain/profile.ts';
import { Type } from '../../../core/schema.ts';
import { strictJson } from '../../../core/strict-json.ts';
import { CommandRefused } from '../../../faces/cli/failure.ts';
import { totpSecretText } from '../../factors/second-factor/totp.ts';
import type { FileRecord } from './records.ts';

const text = () => Type.Optional(Type.String());
const texts = () => Type.Optional(Type.Array(Type.String()));

const Credential = Type.Object({ type: text(), secretData: text(), credentialData: text() });

/** A user in an export of Keycloak, as far as it comes along. All other members are left out. */
const KeycloakUser = Type.Object({
  username: Type.String(),
  enabled: Type.Optional(Type.Boolean()),
  email: text(),
  firstName: text(),
  lastName: text(),
  attributes: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  groups: texts(),
  credentials: Type.Optional(Type.Array(Credential)),
  requiredActions: texts(),
  realmRoles: texts(),
  clientRoles: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  federationLink: text(),
  serviceAccountClientId: text(),
  federatedIdentities: Type.Optional(
    Type.Array(Type.Object({ identityProvider: Type.String(), userId: Type.String() })),
  ),
});
type KeycloakUser = Static<typeof KeycloakUser>;

const validator = Compile(KeycloakUser);

/** The document that a member of a credential holds as text. */
function documentIn(member = '{}'): Readonly<Record<string, unknown>> {
  try {
    return Object(strictJson(member));
  } catch {
    return {};
  }
}

/** Base64 as PHC strings have it. */
const unpadded = (value: unknown) => String(value ?? '').replace(/=+$/, '');

/** Keycloak's hash of a password as a PHC string, which the import reads; undefined if it is of no kind that Keycloak has. */
function phcOf({ secretData, credentialData }: Static<typeof Credential>): string | undefined {
  const { value, salt } = documentIn(secretData);
  const { algorithm, hashIterations, additionalParameters } = documentIn(credentialData);
  const end = `${unpadded(salt)}$${unpadded(value)}`;
  if (algorithm === 'argon2') {
    const parameters = Object(additionalParameters) as Readonly<Record<string, readonly unknown[]>>;
    const [type, version, memory, lanes] = ['type', 'version', 'memory', 'parallelism'].map((name) =>
      String(parameters[name]?.[0]),
    );
    return `$argon2${type}$v=${version === '1.0' ? 16 : 19}$m=${memory},t=${hashIterations},p=${lanes}$${end}`;
  }
  const [, over = 'sha1'] = /^pbkdf2(?:-(sha256|sha512))?$/.exec(String(algorithm)) ?? [];
  return String(algorithm).startsWith('pbkdf2') ? `$pbkdf2-${over}$i=${hashIterations}$${end}` : undefined;
}

/** Reads the secret of an authenticator app, in base32. Returns undefined if the app makes codes that this service does not check. */
async function totpSecretOf({
  secretData,
  credentialData,
}: Static<typeof Credential>): Promise<string | undefined> {
  const { value } = documentIn(secretData);
  const { subType, digits, period, algorithm, secretEncoding } = documentIn(credentialData);
  const isUsual = subType === 'totp' && digits === 6 && period === 30 && algorithm === 'HmacSHA1';
  if (!isUsual || typeof value !== 'string') return undefined;
  if (secretEncoding === 'BASE32') return value;
  return totpSecretText(Buffer.from(value));
}

/** The fields of a profile by the attributes that Keycloak's users have. */
const FIELD_OF: Readonly<Record<string, string>> = {
  phoneNumber: 'telephone',
  ...Object.fromEntries(PROFILE_FIELDS.map((field) => [field, field])),
};

/** Roles that every user has. */
const isUsualRole = (role: string) => /^(default-roles-.*|offline_access|uma_authorization)$/.test(role);

/**
 * The name of a group: its path, since two groups below different ones may have the same name there. A name cannot have a slash
 * here.
 */
const nameOfGroup = (path: string) => path.replace(/^\//, '').replaceAll('/', '.');

interface KeycloakGroup {
  readonly name?: unknown;
  readonly path?: unknown;
  readonly subGroups?: readonly KeycloakGroup[];
}

const SHOWN_NAMES = 10;

function listOf(names: readonly string[]): string {
  const more = names.length > SHOWN_NAMES ? `, and ${names.length - SHOWN_NAMES} more` : '';
  return names.slice(0, SHOWN_NAMES).join(', ') + more;
}

/** Reads an export of a realm of Keycloak as lines of an import, and notes what does not come along. */
export class KeycloakExport {
  readonly #places: string[] = [];
  readonly #groups = new Map<string, string>();
  /** What users have that does not come along, with the users or the attributes. */
  readonly #left = new Map<string, string[]>();

  /** What the record of this number is about. */
  placeOf(number: number): string {
    return this.#places[number - 1] ?? '';
  }

  /** What does not come along, a sentence for each. */
  notes(): string[] {
    return [...this.#left].map(([what, names]) => `${what}: ${listOf(names)}.`);
  }

  /** Gives the groups first, an outer group before the groups in it, and then the users. Throws if the file is no export. */
  async *records(input: AsyncIterable<Buffer>): AsyncGenerator<FileRecord> {
    const chunks: Buffer[] = [];
    for await (const chunk of input) chunks.push(chunk);
    const { users, groups } = this.#realmIn(Buffer.concat(chunks).toString());
    for (const value of this.#groupsIn(groups)) yield this.#record(`group "${value.group}"`, { value });
    for (const user of users) {
      const name = String((user as { username?: unknown } | null)?.username);
      if (!validator.Check(user)) {
        const [, [fault]] = validator.Errors(user);
        yield this.#record(`user "${name}"`, {
          fault: `is not as Keycloak exports it: ${fault?.instancePath} ${fault?.message}`,
        });
      } else if (user.serviceAccountClientId !== undefined) {
        this.#note('Service accounts come as applications with the flow client_credentials', name);
      } else yield this.#record(`user "${name}"`, await this.#userIn(user));
    }
  }

  #realmIn(content: string): {
    readonly users: readonly unknown[];
    readonly groups: readonly KeycloakGroup[];
  } {
    let realm: unknown;
    try {
      realm = strictJson(content);
    } catch {
      throw new CommandRefused('Refused: the file is not JSON, as Keycloak exports a realm.');
    }
    const { users = [], groups = [] } = Object(realm);
    if (!Array.isArray(users) || !Array.isArray(groups) || users.length + groups.length === 0)
      throw new CommandRefused(
        'Refused: the file has neither users nor groups of a realm. Export them by kc.sh export --users realm_file: what the console of Keycloak exports has no users.',
      );
    return { users, groups };
  }

  #record<T extends object>(place: string, record: T): T & { readonly number: number } {
    return { ...record, number: this.#places.push(place) };
  }

  #note(what: string, name: string): void {
    const names = this.#left.get(what) ?? [];
    if (!names.includes(name)) this.#left.set(what, [...names, name]);
  }

  *#groupsIn(
    groups: readonly KeycloakGroup[],
    outer?: string,
  ): Generator<{ readonly group: string; readonly displayName: string; readonly groups: readonly string[] }> {
    for (const { name, path, subGroups = [] } of groups) {
      const place = String(path ?? `${outer ?? ''}/${name}`);
      const group = nameOfGroup(place);
      const other = this.#groups.get(groupKey(group));
      if (other !== undefined)
        throw new CommandRefused(
          `Refused: the groups ${other} and ${place} would be one group here. Rename one in Keycloak, and export again.`,
        );
      this.#groups.set(groupKey(group), place);
      yield { group, displayName: String(name), groups: outer === undefined ? [] : [nameOfGroup(outer)] };
      yield* this.#groupsIn(subGroups, place);
    }
  }

  async #userIn(user: KeycloakUser): Promise<{ readonly value: object } | { readonly fault: string }> {
    const { username: name, enabled, email, firstName, lastName, credentials = [] } = user;
    const password = credentials.find(({ type }) => type === 'password');
    if (password === undefined && user.federationLink !== undefined)
      return { fault: 'has its password in a directory: connect that directory, which brings the user' };
    const passwordHash = password && phcOf(password);
    if (password !== undefined && passwordHash === undefined)
      return {
        fault: 'has a password hash that Keycloak itself does not make: argon2 and PBKDF2 are read',
      };
    const [identity] = password === undefined ? (user.federatedIdentities ?? []) : [];
    const value = {
      name,
      passwordHash,
      disabled: enabled === false,
      mustChangePassword: (password && user.requiredActions?.includes('UPDATE_PASSWORD')) || undefined,
      ...this.#profileIn(user),
      email,
      firstName,
      lastName,
      groups: user.groups?.map(nameOfGroup),
      provider: identity?.identityProvider,
      subject: identity?.userId,
      totpSecret: await this.#totpSecretIn(user),
    };
    this.#noteRoles(user);
    return { value };
  }

  #profileIn({ attributes = {} }: KeycloakUser): Readonly<Record<string, string | undefined>> {
    const fields = Object.entries(attributes).map(([name, [value]]) => {
      const field = FIELD_OF[name];
      if (field === undefined) this.#note('Attributes without a field here', name);
      return [field ?? '', value] as const;
    });
    return Object.fromEntries(fields.filter(([field]) => field !== ''));
  }

  async #totpSecretIn({ username, credentials = [] }: KeycloakUser): Promise<string | undefined> {
    const factors = credentials.filter(({ type = '' }) => /^(otp|webauthn.*|recovery-.*)$/.test(type));
    const app = factors.find(({ type }) => type === 'otp');
    const secret = app && (await totpSecretOf(app));
    if (secret === undefined && factors.length > 0)
      this.#note(
        'Users whose second factor does not come along, so that their password alone lets them in',
        username,
      );
    return secret;
  }

  #noteRoles({ username, realmRoles = [], clientRoles = {} }: KeycloakUser): void {
    const roles = [...realmRoles.filter((role) => !isUsualRole(role)), ...Object.values(clientRoles).flat()];
    if (roles.length > 0) this.#note('Roles do not come along, groups do. Of users with roles', username);
  }
}
