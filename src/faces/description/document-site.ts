import { readFileSync } from 'node:fs';
import { type Asset, assetOnce } from '../../core/asset.ts';
import { refuse } from '../../core/domain/refusal.ts';
import { MEDIA_TYPES, PICTURE_POLICY, portalPolicy } from '../../core/http/formats.ts';
import type { MountedAnswer, MountedPart, MountedRequest } from '../../core/http/mounted.ts';
import { SettingsFaulty } from '../../core/settings/read.ts';

/** Where `npm run site` writes the site, in a checkout and in a package. */
const SITE = new URL('../../../docs/html/', import.meta.url);
/** A mounted part answers below it. */
const PREFIX = '/docs';

/** How files are sent, by their extensions; all others are plain text. */
const TYPES: Readonly<Record<string, string>> = { ...MEDIA_TYPES, webp: 'image/webp' };

const typeOf = (file: string) => TYPES[file.slice(file.lastIndexOf('.') + 1)] ?? 'text/plain;charset=UTF-8';

/** The policy of a file: a page loads what is its own, and a picture that is opened by itself runs nothing. */
const policyOf = (file: string) => (file.endsWith('.html') ? portalPolicy(undefined) : PICTURE_POLICY);

/** The files of the site by their places. Throws {@link SettingsFaulty} if it was not built. */
function filesOf(site: URL): ReadonlyMap<string, () => Asset | Buffer> {
  try {
    const places: readonly string[] = JSON.parse(readFileSync(new URL('files.json', site), 'utf8'));
    const content = (place: string) => readFileSync(new URL(place, site));
    return new Map(
      places.map((place) => [
        place,
        place.endsWith('.webp') ? () => content(place) : assetOnce(() => content(place).toString()),
      ]),
    );
  } catch {
    throw new SettingsFaulty([
      'TESSERA_DOCS: the site of the documents is not there: run "npm run site" first',
    ]);
  }
}

/** Serves the documents as pages, which are the same for everybody and say nothing of this installation. */
export class DocumentSite implements MountedPart {
  readonly id = 'documents';
  readonly prefix = PREFIX;
  readonly aliases = new Map([[PREFIX, PREFIX]]);
  readonly #files: ReturnType<typeof filesOf>;

  constructor(site = SITE) {
    this.#files = filesOf(site);
  }

  async handle({ method, target }: MountedRequest): Promise<MountedAnswer | undefined> {
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    const [path = ''] = target.split('?');
    if (path === PREFIX) return { status: 308, headers: [['Location', `${PREFIX}/`]], text: '' };
    const named = path.slice(PREFIX.length + 1).replace(/(^|\/)$/, '$1index.html');
    const file = this.#files.has(named) ? named : '404.html';
    return {
      status: file === named ? 200 : 404,
      headers: [
        ['Content-Type', typeOf(file)],
        ['Content-Security-Policy', policyOf(file)],
        ['Referrer-Policy', 'same-origin'],
      ],
      text: (this.#files.get(file) as () => Asset | Buffer)(),
      ...(file !== named && { refusal: refuse('path_not_found') }),
    };
  }
}
