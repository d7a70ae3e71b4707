import { PORTAL } from '../../core/api.ts';
import type { Asset } from '../../core/asset.ts';
import { type AnyOperation, answer, operation } from '../../core/operation.ts';
import { Type } from '../../core/schema.ts';
import { ASSET_NAMES, type AssetName, assetFormatOf, assetOf } from './assets.ts';

const tagged = Type.Object({
  tag: Type.Optional(
    Type.String({ description: 'As the page has it. The text is kept for a year under its own alone.' }),
  ),
});

/** Loads an asset. Callers need no ticket: the sign-in page looks like all others. */
const loading = (name: AssetName): AnyOperation =>
  operation({
    id: `org/service/repository/portal/assets/${name}.get`,
    summary: `Load the ${name} of the portal's pages.`,
    lifecycle: 'public_api',
    family: 'Portal',
    api: PORTAL,
    method: 'GET',
    paths: [`/assets/${name}`],
    authentication: 'none',
    transaction: 'none',
    access: 'none',
    formatStyle: 'any',
    defaultFormat: assetFormatOf(name),
    revalidated: true,
    input: { query: tagged },
    output: { schema: Type.String(), [assetFormatOf(name)]: ({ text }: Asset) => text },
    refusals: [],
    async perform({ input }) {
      const asset = assetOf(name);
      const compressed = await asset.compressed();
      return answer(asset, { sameAs: '', lasting: input.query.tag === asset.tag, compressed });
    },
  });

/** Loads what the pages of the portal need: style, scripts and mark. */
export const assetOperations: readonly AnyOperation[] = ASSET_NAMES.map(loading);
