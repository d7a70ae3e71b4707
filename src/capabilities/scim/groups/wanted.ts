import { type Refusal, refuse } from '../../../core/domain/refusal.ts';
import { type Attributes, valueIn } from '../attributes.ts';

/** The state of a group that the body of a POST or a PUT asks for. A member is undefined if the body does not name it. */
export interface GroupWanted {
  readonly displayName: string | undefined;
  readonly externalId: string | undefined;
  readonly members: readonly unknown[] | undefined;
}

/** Reads the body of a POST or a PUT. Attributes that a group does not have here are ignored. */
export function wantedGroupIn(body: Attributes): GroupWanted | Refusal<'body_invalid'> {
  const [displayName, externalId, members] = ['displayName', 'externalId', 'members'].map((name) =>
    valueIn(body, name),
  );
  for (const [name, value] of Object.entries({ displayName, externalId }))
    if (value !== undefined && typeof value !== 'string')
      return refuse('body_invalid', { detail: `${name} is no text` });
  if (members !== undefined && !Array.isArray(members))
    return refuse('body_invalid', { detail: 'members is no list' });
  return { displayName, externalId, members } as GroupWanted;
}
