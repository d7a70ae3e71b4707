import type { Profile, ProfileField } from '../../../core/domain/profile.ts';
import { type Refusal, refuse } from '../../../core/domain/refusal.ts';
import { type Attributes, ENTERPRISE_USER, isAttributes, valueIn, valuesAt } from '../attributes.ts';

/** The state of a user that a client wants. An undefined member stays as it is. */
export interface UserWanted {
  readonly userName: string | undefined;
  /** Null if it is removed. */
  readonly externalId: string | undefined | null;
  readonly active: boolean | undefined;
  readonly password: string | undefined;
  /** A missing field stays as it is, an empty text removes it. */
  readonly profile: Profile;
}

class Unfit extends Error {}

/** A text; undefined if there is none. */
function textOf(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new Unfit(`${name} is no text`);
  return value;
}

const textIn = (of: Attributes, name: string) => textOf(valueIn(of, name), name);

/** A boolean; Entra sends it as the text `True` or `False` too. */
function flagIn(of: Attributes, name: string): boolean | undefined {
  const value = valueIn(of, name);
  if (value === undefined || typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (text !== 'true' && text !== 'false') throw new Unfit(`${name} is neither true nor false`);
  return text === 'true';
}

/** The values of a list, such as e-mails; undefined if there is no list. A single value counts as a list. */
function valuesIn(of: Attributes, name: string): readonly Attributes[] | undefined {
  const value = valueIn(of, name);
  if (value === undefined) return undefined;
  return [value].flat().map((each) => {
    if (!isAttributes(each)) throw new Unfit(`${name} has a value that is no object`);
    textOf(valueIn(each, 'value'), name);
    return each;
  });
}

const hasType = (of: Attributes, type: string) => String(valueIn(of, 'type')).toLowerCase() === type;

/** The text of the value that was chosen from a list: empty if there is none, undefined if there is no list. */
function chosen(
  of: Attributes,
  name: string,
  choose: (values: readonly Attributes[]) => Attributes | undefined,
): string | undefined {
  const values = valuesIn(of, name);
  return values === undefined ? undefined : (textOf(valueIn(choose(values) ?? {}, 'value'), name) ?? '');
}

const isPrimary = (of: Attributes) => String(valueIn(of, 'primary')).toLowerCase() === 'true';

/** The e-mail that is kept: the primary one, else that of work, else the first. */
const mainEmail = (values: readonly Attributes[]) =>
  values.findLast(isPrimary) ?? values.find((value) => hasType(value, 'work')) ?? values[0];

function fieldsIn(of: Attributes): Readonly<Record<ScimField, string | undefined>> {
  for (const name of ['name', ENTERPRISE_USER])
    if (!isAttributes(valueIn(of, name) ?? {})) throw new Unfit(`${name} is no object`);
  const part = (name: string) => textOf(valuesAt(of, ['name', name])[0], name);
  return {
    firstName: part('givenName'),
    lastName: part('familyName'),
    email: chosen(of, 'emails', mainEmail),
    organization: textOf(valuesAt(of, [ENTERPRISE_USER, 'organization'])[0], 'organization'),
    jobTitle: textIn(of, 'title'),
    telephone: chosen(of, 'phoneNumbers', (values) => values.find((value) => hasType(value, 'work'))),
    mobile: chosen(of, 'phoneNumbers', (values) => values.find((value) => hasType(value, 'mobile'))),
  };
}

/** The fields of a profile that SCIM has. The others belong to administrators. */
type ScimField = Exclude<ProfileField, 'location' | 'description'>;

/**
 * What a resource says about a user. Attributes that cannot be kept here are ignored (RFC 7644 section 3.3). A field of the
 * profile that the resource lacks stays as it is (`kept`), or is removed (`removed`).
 */
export function wantedIn(
  resource: Attributes,
  missing: 'kept' | 'removed',
): UserWanted | Refusal<'body_invalid'> {
  try {
    const fields = Object.entries(fieldsIn(resource)).flatMap(([field, value]) =>
      value === undefined && missing === 'kept' ? [] : [[field, value ?? ''] as const],
    );
    return {
      userName: textIn(resource, 'userName'),
      externalId: textIn(resource, 'externalId'),
      active: flagIn(resource, 'active'),
      password: textIn(resource, 'password'),
      profile: Object.fromEntries(fields),
    };
  } catch (fault) {
    if (fault instanceof Unfit) return refuse('body_invalid', { detail: fault.message });
    throw fault;
  }
}
