import { optionalTime } from '../../../core/representations/admin/times.ts';
import type { Representation } from '../../../core/representations/representation.ts';
import { Type } from '../../../core/schema.ts';
import { PUBLISHED_FOR } from '../signing-keys.ts';
import type { SigningKey } from '../tables/signing-keys.ts';

/** How events name a key. */
export const keyName = ({ alg, kid }: Pick<SigningKey, 'alg' | 'kid'>): string => `${alg} ${kid}`;

/** The keys that sign tokens, without their private parts. */
export const signingKeysShown = {
  schema: Type.Object({
    items: Type.Array(
      Type.Object(
        {
          kid: Type.String({ description: 'Its name, as tokens and the published keys say it.' }),
          alg: Type.String({ examples: ['RS256'] }),
          addedAt: Type.String({ format: 'date-time' }),
          retiredAt: optionalTime('Since when it signs nothing.'),
          publishedUntil: optionalTime('Until when what it signed counts.'),
        },
        { title: 'Signing key' },
      ),
    ),
  }),
  json: (keys) => ({
    items: keys.map(({ kid, alg, addedAt, retiredAt }) => ({
      kid,
      alg,
      addedAt: new Date(addedAt).toISOString(),
      ...(retiredAt !== undefined && {
        retiredAt: new Date(retiredAt).toISOString(),
        publishedUntil: new Date(retiredAt + PUBLISHED_FOR).toISOString(),
      }),
    })),
  }),
} satisfies Representation<readonly SigningKey[]>;
