import { PORTAL } from '../../core/api.ts';
import type { Asset } from '../../core/asset.ts';
import type { BrowserContext } from '../../core/browser-context.ts';
import type { Brand } from '../../core/domain/brand.ts';
import { type AnyOperation, answer, operation } from '../../core/operation.ts';
import type { Format, Representation } from '../../core/representations/representation.ts';
import { Type } from '../../core/schema.ts';
import { ASSET_NAMES, type AssetName, assetFormatOf, assetOf } from './assets.ts';
import { type BrandAssetName, brandAssetOf, brandFormatOf } from './brand-assets.ts';

const tagged = Type.Object({
  tag: Type.Optional(
    Type.String({ description: 'As the page has it. The text is kept for a year under its own alone.' }),
  ),
});

/** Loads an asset. Callers need no ticket: the sign-in page looks like all others. */
const loading = (
  name: AssetName | BrandAssetName,
  format: Format,
  assetFor: (brand: Brand) => Asset,
): AnyOperation =>
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
    defaultFormat: format,
    revalidated: true,
    input: { query: tagged },
    output: { schema: Type.String(), [format]: ({ text }: Asset) => text } as Representation<Asset>,
    refusals: [],
    async perform({ input, browser }) {
      const asset = assetFor((browser as BrowserContext).brand);
      const compressed = await asset.compressed();
      return answer(asset, { sameAs: '', lasting: input.query.tag === asset.tag, compressed });
    },
  });

/** Loads what the pages of the portal need: style, scripts and mark, and the logo and the colours of the operator. */
export const assetOperations: readonly AnyOperation[] = [
  ...ASSET_NAMES.map((name) => loading(name, assetFormatOf(name), () => assetOf(name))),
  ...(['brand', 'logo'] as const).map((name) =>
    loading(name, brandFormatOf(name), (brand) => brandAssetOf(name, brand)),
  ),
];
