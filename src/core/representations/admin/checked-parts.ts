import type { CheckedPart } from '../../domain/sign-in-source.ts';
import { Type } from '../../schema.ts';
import type { Representation } from '../representation.ts';

/** What a check of sign-in sources found. */
export const checkedParts = {
  schema: Type.Object({
    wrong: Type.Integer({ description: 'How many steps are wrong.' }),
    parts: Type.Array(
      Type.Object({
        about: Type.String({ description: 'What the steps are about, such as a server.' }),
        steps: Type.Array(
          Type.Object({
            name: Type.Optional(Type.String({ description: 'What the step looks at.' })),
            ok: Type.Boolean(),
            found: Type.String({ description: 'What it found; if something is wrong, also how to mend it.' }),
          }),
        ),
      }),
    ),
  }),
  json: (parts) => ({ wrong: countWrong(parts), parts: [...parts] as never }),
} satisfies Representation<readonly CheckedPart[]>;

/** How many steps are wrong. */
export const countWrong = (parts: readonly CheckedPart[]): number =>
  parts.flatMap(({ steps }) => steps).filter(({ ok }) => !ok).length;
